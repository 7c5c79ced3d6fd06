#include "openssl_oracle.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs7.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// MARK: - Context and errors

static OSSL_LIB_CTX *context;

static void make_context(void) {
    context = OSSL_LIB_CTX_new();
    if (context != NULL && OSSL_PROVIDER_load(context, "default") == NULL) {
        OSSL_LIB_CTX_free(context);
        context = NULL;
    }
}

// Without a context nothing could be asked: a broken libcrypto, not an answer.
static OSSL_LIB_CTX *library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_context);
    if (context == NULL) {
        fprintf(stderr, "openssl oracle: no library context\n");
        abort();
    }
    return context;
}

// Takes the oldest-to-newest queue down to its newest entry, as "reason: data", and empties it.
static void take_error(char *error, const char *otherwise) {
    const char *data = NULL;
    int flags = 0;
    unsigned long code = ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;
    int has_text = data != NULL && data[0] != 0 && (flags & ERR_TXT_STRING) != 0;
    snprintf(error, ORACLE_ERROR_SIZE, "%s%s%s", reason != NULL ? reason : otherwise, has_text ? ": " : "",
             has_text ? data : "");
    ERR_clear_error();
}

// MARK: - Certificates

static X509 *read_certificate(const uint8_t **cursor, size_t left) {
    if (left > LONG_MAX) return NULL;
    X509 *certificate = X509_new_ex(library(), NULL);
    if (certificate == NULL) return NULL;
    // On failure d2i frees the object it was given and sets it to NULL.
    return d2i_X509(&certificate, cursor, (long)left);
}

static STACK_OF(X509) *read_certificates(const uint8_t *der, size_t length) {
    STACK_OF(X509) *stack = sk_X509_new_null();
    const uint8_t *cursor = der;
    while (stack != NULL && cursor != der + length) {
        X509 *certificate = read_certificate(&cursor, (size_t)(der + length - cursor));
        if (certificate == NULL || sk_X509_push(stack, certificate) == 0) {
            X509_free(certificate);
            sk_X509_pop_free(stack, X509_free);
            return NULL;
        }
    }
    return stack;
}

static void set_parameters(X509_VERIFY_PARAM *parameters, int64_t at, int options) {
    unsigned long flags = 0;
    if (options & ORACLE_CHECK_SELF_SIGNED) flags |= X509_V_FLAG_CHECK_SS_SIGNATURE;
    if (options & ORACLE_PARTIAL_CHAIN) flags |= X509_V_FLAG_PARTIAL_CHAIN;
    if (options & ORACLE_STRICT) flags |= X509_V_FLAG_X509_STRICT;
    X509_VERIFY_PARAM_set_flags(parameters, flags);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)at);
    X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY);
    X509_VERIFY_PARAM_set_auth_level(parameters, 0);
}

static X509_STORE *make_store(const uint8_t *roots, size_t length, int64_t at, int options) {
    STACK_OF(X509) *certificates = read_certificates(roots, length);
    X509_STORE *store = certificates != NULL ? X509_STORE_new() : NULL;
    if (store != NULL) {
        set_parameters(X509_STORE_get0_param(store), at, options);
        for (int i = 0; i < sk_X509_num(certificates); i++) {
            if (X509_STORE_add_cert(store, sk_X509_value(certificates, i)) == 1) continue;
            X509_STORE_free(store);
            store = NULL;
            break;
        }
    }
    sk_X509_pop_free(certificates, X509_free);
    return store;
}

// MARK: - CMS and PKCS #7

static CMS_ContentInfo *read_cms(const uint8_t **cursor, size_t length) {
    if (length > LONG_MAX) return NULL;
    CMS_ContentInfo *cms = CMS_ContentInfo_new_ex(library(), NULL);
    return cms != NULL ? d2i_CMS_ContentInfo(&cms, cursor, (long)length) : NULL;
}

static PKCS7 *read_pkcs7(const uint8_t *der, size_t length) {
    if (length > LONG_MAX) return NULL;
    PKCS7 *pkcs7 = PKCS7_new_ex(library(), NULL);
    return pkcs7 != NULL ? d2i_PKCS7(&pkcs7, &der, (long)length) : NULL;
}

// The content that was verified, as memory of its own. CMS's NULL data is an empty content.
static int take_payload(BIO *out, uint8_t **payload, size_t *payload_length) {
    if (payload == NULL) return 1;
    char *data = NULL;
    long length = BIO_get_mem_data(out, &data);
    if (length < 0) return 0;
    *payload = malloc((size_t)length + 1);
    if (*payload == NULL) return 0;
    if (length > 0) memcpy(*payload, data, (size_t)length);
    *payload_length = (size_t)length;
    return 1;
}

int oracle_cms_verify(const uint8_t *der, size_t length, const uint8_t *roots, size_t roots_length,
                      const uint8_t *intermediates, size_t intermediates_length, int64_t at, int options,
                      uint8_t **payload, size_t *payload_length, char *error) {
    ERR_clear_error();
    const char *failure = "cannot be read as a CMS ContentInfo";
    const uint8_t *cursor = der;
    int ok = 0;
    X509_STORE *store = NULL;
    STACK_OF(X509) *extra = NULL;
    BIO *out = NULL;
    CMS_ContentInfo *cms = read_cms(&cursor, length);
    if (cms == NULL) goto done;
    failure = "bytes follow the ContentInfo";
    if (cursor != der + length) goto done;
    failure = "roots or intermediates cannot be read";
    store = make_store(roots, roots_length, at, options);
    extra = read_certificates(intermediates, intermediates_length);
    if (store == NULL || extra == NULL) goto done;
    failure = "out of memory";
    out = BIO_new(BIO_s_mem());
    if (out == NULL) goto done;
    failure = "not verified";
    // CMS_BINARY: the content as it is, with no line endings moved.
    unsigned int flags = CMS_BINARY | ((options & ORACLE_NO_CHAIN) ? CMS_NO_SIGNER_CERT_VERIFY : 0);
    for (int i = 0; i < sk_X509_num(extra); i++) {
        // An intermediate that the message already holds is refused as a duplicate, which is no fault.
        if (CMS_add1_cert(cms, sk_X509_value(extra, i)) != 1) ERR_clear_error();
    }
    ok = CMS_verify(cms, NULL, store, NULL, out, flags) == 1 && take_payload(out, payload, payload_length);
done:
    if (ok) {
        error[0] = 0;
        ERR_clear_error();
    } else {
        take_error(error, failure);
    }
    BIO_free(out);
    sk_X509_pop_free(extra, X509_free);
    X509_STORE_free(store);
    CMS_ContentInfo_free(cms);
    return ok;
}

int oracle_pkcs7_verify(const uint8_t *der, size_t length, const uint8_t *roots, size_t roots_length,
                        const uint8_t *intermediates, size_t intermediates_length, int64_t at, int options,
                        uint8_t **payload, size_t *payload_length, char *error) {
    ERR_clear_error();
    const char *failure = "cannot be read as a PKCS #7 ContentInfo";
    int ok = 0;
    X509_STORE *store = NULL;
    STACK_OF(X509) *extra = NULL;
    BIO *out = NULL;
    PKCS7 *pkcs7 = read_pkcs7(der, length);
    if (pkcs7 == NULL) goto done;
    failure = "roots or intermediates cannot be read";
    store = make_store(roots, roots_length, at, options);
    extra = read_certificates(intermediates, intermediates_length);
    if (store == NULL || extra == NULL) goto done;
    failure = "out of memory";
    out = BIO_new(BIO_s_mem());
    if (out == NULL) goto done;
    failure = "not verified";
    int flags = PKCS7_BINARY | ((options & ORACLE_NO_CHAIN) ? PKCS7_NOVERIFY : 0);
    // Unlike CMS, PKCS #7 takes intermediates from the message or from the store only.
    for (int i = 0; i < sk_X509_num(extra); i++) {
        if (PKCS7_add_certificate(pkcs7, sk_X509_value(extra, i)) != 1) ERR_clear_error();
    }
    ok = PKCS7_verify(pkcs7, NULL, store, NULL, out, flags) == 1 && take_payload(out, payload, payload_length);
done:
    if (ok) {
        error[0] = 0;
        ERR_clear_error();
    } else {
        take_error(error, failure);
    }
    BIO_free(out);
    sk_X509_pop_free(extra, X509_free);
    X509_STORE_free(store);
    PKCS7_free(pkcs7);
    return ok;
}

// MARK: - X.509

int oracle_x509_verify(const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediates,
                       size_t intermediates_length, const uint8_t *roots, size_t roots_length, int64_t at, int options,
                       char *error) {
    ERR_clear_error();
    const uint8_t *cursor = leaf;
    int ok = 0;
    X509 *certificate = read_certificate(&cursor, leaf_length);
    STACK_OF(X509) *untrusted = read_certificates(intermediates, intermediates_length);
    X509_STORE *store = make_store(roots, roots_length, at, options);
    X509_STORE_CTX *verification = X509_STORE_CTX_new_ex(library(), NULL);
    if (certificate == NULL || untrusted == NULL || store == NULL || verification == NULL) {
        take_error(error, "a certificate cannot be read");
    } else if (X509_STORE_CTX_init(verification, store, certificate, untrusted) != 1) {
        take_error(error, "no verification context");
    } else if (X509_verify_cert(verification) == 1) {
        ok = 1;
        error[0] = 0;
    } else {
        snprintf(error, ORACLE_ERROR_SIZE, "%s at depth %d",
                 X509_verify_cert_error_string(X509_STORE_CTX_get_error(verification)),
                 X509_STORE_CTX_get_error_depth(verification));
    }
    X509_STORE_CTX_free(verification);
    X509_STORE_free(store);
    sk_X509_pop_free(untrusted, X509_free);
    X509_free(certificate);
    ERR_clear_error();
    return ok;
}

int oracle_signature_verify(const uint8_t *certificate, size_t certificate_length, const char *digest,
                            const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length,
                            char *error) {
    ERR_clear_error();
    const uint8_t *cursor = certificate;
    X509 *signer = read_certificate(&cursor, certificate_length);
    EVP_MD_CTX *verification = EVP_MD_CTX_new();
    int ok = 0;
    if (signer == NULL || verification == NULL) {
        take_error(error, "the certificate cannot be read");
    } else if (EVP_DigestVerifyInit_ex(verification, NULL, digest, library(), NULL, X509_get0_pubkey(signer), NULL) != 1) {
        take_error(error, "no verification context");
    } else if (EVP_DigestVerify(verification, signature, signature_length, message, length) == 1) {
        ok = 1;
        error[0] = 0;
    } else {
        take_error(error, "bad signature");
    }
    EVP_MD_CTX_free(verification);
    X509_free(signer);
    ERR_clear_error();
    return ok;
}

// MARK: - Parsing alone

long oracle_d2i_cms(const uint8_t *der, size_t length, char *error) {
    ERR_clear_error();
    const uint8_t *cursor = der;
    CMS_ContentInfo *cms = read_cms(&cursor, length);
    long read = cms != NULL ? (long)(cursor - der) : -1;
    if (read < 0) take_error(error, "cannot be read as a CMS ContentInfo");
    CMS_ContentInfo_free(cms);
    ERR_clear_error();
    return read;
}

static int write_part(BIO *out, uint8_t kind, const uint8_t *bytes, int length) {
    uint8_t header[9] = {kind};
    if (length < 0) return 0;
    for (int i = 0; i < 4; i++) header[1 + i] = (uint8_t)((unsigned)length >> (8 * i));
    return BIO_write(out, header, sizeof header) == sizeof header && (length == 0 || BIO_write(out, bytes, length) == length);
}

int oracle_cms_parts(const uint8_t *der, size_t length, uint8_t **parts, size_t *parts_length) {
    ERR_clear_error();
    const uint8_t *cursor = der;
    int ok = 0;
    BIO *out = NULL;
    STACK_OF(X509) *certificates = NULL;
    CMS_ContentInfo *cms = read_cms(&cursor, length);
    if (cms == NULL || cursor != der + length || OBJ_obj2nid(CMS_get0_type(cms)) != NID_pkcs7_signed) goto done;
    ASN1_OCTET_STRING **content = CMS_get0_content(cms);
    if (content == NULL || *content == NULL) goto done;
    out = BIO_new(BIO_s_mem());
    ok = out != NULL && write_part(out, 'c', ASN1_STRING_get0_data(*content), ASN1_STRING_length(*content));
    certificates = CMS_get1_certs(cms);
    for (int i = 0; ok && i < sk_X509_num(certificates); i++) {
        uint8_t *encoded = NULL;
        // A certificate that was read is written as the bytes that it was read from.
        int count = i2d_X509(sk_X509_value(certificates, i), &encoded);
        ok = write_part(out, 'x', encoded, count);
        OPENSSL_free(encoded);
    }
    STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(cms);
    for (int i = 0; ok && i < sk_CMS_SignerInfo_num(signers); i++) {
        ASN1_OCTET_STRING *signature = CMS_SignerInfo_get0_signature(sk_CMS_SignerInfo_value(signers, i));
        ok = write_part(out, 's', ASN1_STRING_get0_data(signature), ASN1_STRING_length(signature));
    }
    ok = ok && take_payload(out, parts, parts_length);
done:
    sk_X509_pop_free(certificates, X509_free);
    BIO_free(out);
    CMS_ContentInfo_free(cms);
    ERR_clear_error();
    return ok;
}

long oracle_d2i_x509(const uint8_t *der, size_t length, char *error) {
    ERR_clear_error();
    const uint8_t *cursor = der;
    X509 *certificate = read_certificate(&cursor, length);
    long read = certificate != NULL ? (long)(cursor - der) : -1;
    if (read < 0) take_error(error, "cannot be read as a certificate");
    X509_free(certificate);
    ERR_clear_error();
    return read;
}

typedef struct {
    const uint8_t *start;
    oracle_element *elements;
    size_t capacity;
    long count;
} walk;

// Walks the elements between `*cursor` and `end`; inside an indefinite length, up to and with the end-of-contents.
static int walk_elements(walk *w, const uint8_t **cursor, const uint8_t *end, int depth, int indefinite) {
    if (depth > 128) return 0;
    while (*cursor < end) {
        const uint8_t *header = *cursor;
        long length = 0;
        int tag = 0, tag_class = 0;
        // One octet more than there is: OpenSSL 3.0.19 and those before refuse a long-form length of zero at the very
        // end ("header too long"), which X.690 8.1.3.5 allows; 3.0.22 and 3.5 do not. What reaches into it is refused.
        int flags = ASN1_get_object(cursor, &length, &tag, &tag_class, end - header + 1);
        if (flags & 0x80) return 0;
        if (*cursor > end || (!(flags & 1) && length > end - *cursor)) return 0;
        int inner_indefinite = flags & 1;
        oracle_element element = {(size_t)(header - w->start), (size_t)(*cursor - header),
                                  inner_indefinite ? -1 : length, depth, tag, tag_class,
                                  (flags & V_ASN1_CONSTRUCTED) != 0};
        if ((size_t)w->count < w->capacity) w->elements[w->count] = element;
        w->count++;
        if (tag == V_ASN1_EOC && tag_class == V_ASN1_UNIVERSAL && !element.constructed && length == 0) {
            if (indefinite) return 1;
            return 0;
        }
        if (element.constructed) {
            const uint8_t *inner_end = inner_indefinite ? end : *cursor + length;
            if (!walk_elements(w, cursor, inner_end, depth + 1, inner_indefinite)) return 0;
            if (!inner_indefinite && *cursor != inner_end) return 0;
        } else {
            if (inner_indefinite) return 0;
            *cursor += length;
        }
    }
    return !indefinite;
}

long oracle_asn1_walk(const uint8_t *der, size_t length, oracle_element *elements, size_t capacity, char *error) {
    ERR_clear_error();
    uint8_t *copy = length < LONG_MAX ? calloc(1, length + 1) : NULL;
    int is_read = 0;
    walk w = {copy, elements, capacity, 0};
    if (copy != NULL) {
        memcpy(copy, der, length);
        const uint8_t *cursor = copy;
        is_read = walk_elements(&w, &cursor, copy + length, 0, 0);
        free(copy);
    }
    if (is_read) return w.count;
    take_error(error, "not well-formed BER");
    return -1;
}

size_t oracle_digest(const char *name, const uint8_t *bytes, size_t length, uint8_t *digest) {
    size_t digest_length = 0;
    if (EVP_Q_digest(library(), name, NULL, bytes, length, digest, &digest_length) != 1) digest_length = 0;
    ERR_clear_error();
    return digest_length;
}

void oracle_fill_errors(int count, int is_marked) {
    ERR_clear_error();
    // Of the library whose errors speak of signatures, and a fatal one.
    for (int i = 0; i < count; i++) {
        ERR_raise_data(i % 2 ? ERR_LIB_RSA : ERR_LIB_USER, i % 3 ? 100 + i : ERR_R_MALLOC_FAILURE, "mine %d", i);
    }
    if (is_marked) ERR_set_mark();
}

int oracle_count_errors(int is_marked) {
    if (is_marked) {
        ERR_raise(ERR_LIB_USER, 999);
        if (ERR_pop_to_mark() != 1) return -1;
    }
    int count = 0, flags = 0;
    const char *data = NULL;
    char expected[16];
    while (ERR_get_error_all(NULL, NULL, NULL, &data, &flags) != 0) {
        snprintf(expected, sizeof expected, "mine %d", count);
        if (data == NULL || strcmp(data, expected) != 0) count = -100;
        count++;
    }
    return count < 0 ? -1 : count;
}

void oracle_free(void *memory) { free(memory); }

const char *oracle_version(void) { return OpenSSL_version(OPENSSL_VERSION_STRING); }
