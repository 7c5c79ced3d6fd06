#ifndef OPENSSL_ORACLE_H
#define OPENSSL_ORACLE_H
#endif
