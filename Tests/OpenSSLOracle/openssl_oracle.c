#include "openssl_oracle.h"
