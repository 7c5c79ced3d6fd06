import CLibcrypto
