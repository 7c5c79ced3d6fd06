#ifndef CLIBCRYPTO_SHIM_H
#define CLIBCRYPTO_SHIM_H

#include <stdint.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// Macros with casts are not imported into Swift.
static const int CLIBCRYPTO_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;
static const int CLIBCRYPTO_EVP_PKEY_KEYPAIR = EVP_PKEY_KEYPAIR;

// As pointers that stay: OSSL_PARAM_BLD keeps the pointer to a name, and a Swift string's is gone after the call.
static const char *const CLIBCRYPTO_PARAM_RSA_N = OSSL_PKEY_PARAM_RSA_N;
static const char *const CLIBCRYPTO_PARAM_RSA_E = OSSL_PKEY_PARAM_RSA_E;
static const char *const CLIBCRYPTO_PARAM_GROUP_NAME = OSSL_PKEY_PARAM_GROUP_NAME;
static const char *const CLIBCRYPTO_PARAM_PUB_KEY = OSSL_PKEY_PARAM_PUB_KEY;
static const char *const CLIBCRYPTO_GROUP_P256 = SN_X9_62_prime256v1;
static const char *const CLIBCRYPTO_GROUP_P384 = SN_secp384r1;

// Inline functions in 3.0, macros in others.
static inline int CLIBCRYPTO_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }
static inline int CLIBCRYPTO_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }

static const int CLIBCRYPTO_ERR_RFLAG_COMMON = ERR_RFLAG_COMMON;

// A number that no other thread has at the same time. It is an integer on some platforms and a pointer on others.
static inline uint64_t CLIBCRYPTO_THREAD_NUMBER(void) { return (uint64_t)(uintptr_t)CRYPTO_THREAD_get_current_id(); }

#endif
