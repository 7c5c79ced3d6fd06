#include "receipt_bench.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs7.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

uint64_t bench_processor_time(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

const char *bench_libcrypto_version(void) { return OpenSSL_version(OPENSSL_VERSION); }

struct bench_baseline {
    const uint8_t *der;
    size_t length;
    const uint8_t *payload;
    size_t payload_length;
    OSSL_LIB_CTX *context;
    OSSL_PROVIDER *provider;
    X509_STORE *store;
    EVP_PKEY *key;
    EVP_MD *digest;
    EVP_MD_CTX *digest_context;
    EVP_PKEY_CTX *key_context;
    uint8_t *signature;
    size_t signature_length;
};

// MARK: - Making ready

static X509_STORE *make_store(const uint8_t *root, size_t length, int64_t at) {
    X509_STORE *store = X509_STORE_new();
    X509 *certificate = d2i_X509(NULL, &root, (long)length);
    if (store == NULL || certificate == NULL || X509_STORE_add_cert(store, certificate) != 1) {
        X509_free(certificate);
        X509_STORE_free(store);
        return NULL;
    }
    X509_free(certificate);
    X509_VERIFY_PARAM *parameters = X509_STORE_get0_param(store);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)at);
    X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY);
    // Old genuine receipts have SHA-1 in their chains.
    X509_VERIFY_PARAM_set_auth_level(parameters, 0);
    return store;
}

static CMS_ContentInfo *read_cms(const bench_baseline *baseline) {
    CMS_ContentInfo *cms = CMS_ContentInfo_new_ex(baseline->context, NULL);
    const uint8_t *cursor = baseline->der;
    if (cms == NULL || d2i_CMS_ContentInfo(&cms, &cursor, (long)baseline->length) == NULL) {
        CMS_ContentInfo_free(cms);
        return NULL;
    }
    return cms;
}

// The signer's key, its digest and its signature, from the container.
static int make_floor(bench_baseline *baseline) {
    CMS_ContentInfo *cms = read_cms(baseline);
    if (cms == NULL) return 0;
    int made = 0;
    STACK_OF(X509) *certificates = CMS_get1_certs(cms);
    STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(cms);
    CMS_SignerInfo *signer = signers != NULL ? sk_CMS_SignerInfo_value(signers, 0) : NULL;
    X509 *certificate = NULL;
    for (int i = 0; signer != NULL && i < sk_X509_num(certificates); i++) {
        if (CMS_SignerInfo_cert_cmp(signer, sk_X509_value(certificates, i)) == 0) {
            certificate = sk_X509_value(certificates, i);
        }
    }
    if (certificate != NULL) {
        X509_ALGOR *algorithm = NULL;
        CMS_SignerInfo_get0_algs(signer, NULL, NULL, &algorithm, NULL);
        const ASN1_OBJECT *object = NULL;
        X509_ALGOR_get0(&object, NULL, NULL, algorithm);
        const ASN1_OCTET_STRING *signature = CMS_SignerInfo_get0_signature(signer);
        baseline->signature_length = (size_t)ASN1_STRING_length(signature);
        baseline->signature = OPENSSL_memdup(ASN1_STRING_get0_data(signature), baseline->signature_length);
        baseline->digest = EVP_MD_fetch(baseline->context, OBJ_nid2sn(OBJ_obj2nid(object)), NULL);
        baseline->digest_context = EVP_MD_CTX_new();
        baseline->key = X509_get_pubkey(certificate);
        if (baseline->key != NULL) {
            baseline->key_context = EVP_PKEY_CTX_new_from_pkey(baseline->context, baseline->key, NULL);
        }
        made = baseline->signature != NULL && baseline->digest != NULL && baseline->digest_context != NULL &&
               baseline->key_context != NULL && EVP_PKEY_verify_init(baseline->key_context) == 1 &&
               EVP_PKEY_CTX_set_rsa_padding(baseline->key_context, RSA_PKCS1_PADDING) == 1 &&
               EVP_PKEY_CTX_set_signature_md(baseline->key_context, baseline->digest) == 1;
    }
    sk_X509_pop_free(certificates, X509_free);
    CMS_ContentInfo_free(cms);
    return made;
}

bench_baseline *bench_baseline_new(const uint8_t *der, size_t length, const uint8_t *payload, size_t payload_length,
                                   const uint8_t *root, size_t root_length, int64_t at) {
    bench_baseline *baseline = calloc(1, sizeof *baseline);
    if (baseline == NULL || length > LONG_MAX || root_length > LONG_MAX) {
        free(baseline);
        return NULL;
    }
    baseline->der = der;
    baseline->length = length;
    baseline->payload = payload;
    baseline->payload_length = payload_length;
    // A context of its own, as the product has: the host's openssl.cnf changes nothing.
    baseline->context = OSSL_LIB_CTX_new();
    baseline->provider = baseline->context != NULL ? OSSL_PROVIDER_load(baseline->context, "default") : NULL;
    baseline->store = make_store(root, root_length, at);
    if (baseline->provider == NULL || baseline->store == NULL || !make_floor(baseline) || !bench_floor(baseline) ||
        !bench_cms_verify(baseline) || !bench_pkcs7_verify(baseline)) {
        bench_baseline_free(baseline);
        return NULL;
    }
    return baseline;
}

void bench_baseline_free(bench_baseline *baseline) {
    if (baseline == NULL) return;
    EVP_PKEY_CTX_free(baseline->key_context);
    EVP_MD_CTX_free(baseline->digest_context);
    EVP_MD_free(baseline->digest);
    EVP_PKEY_free(baseline->key);
    OPENSSL_free(baseline->signature);
    X509_STORE_free(baseline->store);
    if (baseline->provider != NULL) OSSL_PROVIDER_unload(baseline->provider);
    OSSL_LIB_CTX_free(baseline->context);
    free(baseline);
    ERR_clear_error();
}

// MARK: - What is timed

int bench_floor(bench_baseline *baseline) {
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned int count = 0;
    return EVP_DigestInit_ex2(baseline->digest_context, baseline->digest, NULL) == 1 &&
           EVP_DigestUpdate(baseline->digest_context, baseline->payload, baseline->payload_length) == 1 &&
           EVP_DigestFinal_ex(baseline->digest_context, digest, &count) == 1 &&
           EVP_PKEY_verify(baseline->key_context, baseline->signature, baseline->signature_length, digest, count) == 1;
}

int bench_cms_verify(bench_baseline *baseline) {
    CMS_ContentInfo *cms = read_cms(baseline);
    int result = cms != NULL && CMS_verify(cms, NULL, baseline->store, NULL, NULL, CMS_BINARY) == 1;
    CMS_ContentInfo_free(cms);
    return result;
}

int bench_pkcs7_verify(bench_baseline *baseline) {
    PKCS7 *message = PKCS7_new_ex(baseline->context, NULL);
    const uint8_t *cursor = baseline->der;
    int result = message != NULL && d2i_PKCS7(&message, &cursor, (long)baseline->length) != NULL &&
                 PKCS7_verify(message, NULL, baseline->store, NULL, NULL, PKCS7_BINARY) == 1;
    PKCS7_free(message);
    return result;
}

int bench_d2i(bench_baseline *baseline) {
    CMS_ContentInfo *cms = read_cms(baseline);
    CMS_ContentInfo_free(cms);
    return cms != NULL;
}

// Everything constructed is entered, and so are OCTET STRINGs that hold one element, as the product enters them.
static size_t walk(const uint8_t *bytes, size_t length, int depth) {
    size_t elements = 0;
    while (length > 0) {
        const uint8_t *content = bytes;
        long count = 0;
        int tag = 0;
        int class = 0;
        int header = ASN1_get_object(&content, &count, &tag, &class, (long)length);
        if (header & 0x81 || depth > 16) return 0;
        elements++;
        if (header & V_ASN1_CONSTRUCTED) {
            size_t inner = walk(content, (size_t)count, depth + 1);
            if (inner == 0 && count > 0) return 0;
            elements += inner;
        } else if (tag == V_ASN1_OCTET_STRING && count >= 2 &&
                   (content[0] == 0x31 || content[0] == 0x0C || content[0] == 0x16 || content[0] == 0x02)) {
            elements += walk(content, (size_t)count, depth + 1);
        }
        length -= (size_t)(content - bytes) + (size_t)count;
        bytes = content + count;
    }
    return elements;
}

size_t bench_tag_walk(const uint8_t *payload, size_t length) {
    size_t elements = walk(payload, length, 0);
    // Raw values that look like an element by chance leave errors behind.
    ERR_clear_error();
    return elements;
}
