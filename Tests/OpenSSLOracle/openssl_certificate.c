#include "openssl_oracle.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

static void print_hex(BIO *out, const uint8_t *bytes, int length) {
    for (int i = 0; i < length; i++) BIO_printf(out, "%02x", bytes[i]);
    BIO_printf(out, "\n");
}

static void print_oid(BIO *out, const ASN1_OBJECT *object) {
    char text[256];
    OBJ_obj2txt(text, sizeof text, object, 1);
    BIO_printf(out, "%s", text);
}

static void print_time(BIO *out, const char *label, const ASN1_TIME *point) {
    struct tm fields;
    if (ASN1_TIME_to_tm(point, &fields) == 1) BIO_printf(out, "%s %lld\n", label, (long long)timegm(&fields));
}

static void print_name(BIO *out, const char *label, const X509_NAME *name) {
    BIO_printf(out, "%s ", label);
    X509_NAME_print_ex(out, name, 0, XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_DN_REV | XN_FLAG_FN_SN | ASN1_STRFLGS_UTF8_CONVERT);
    BIO_printf(out, "\n");
}

static void print_key(BIO *out, const X509 *certificate) {
    ASN1_OBJECT *algorithm = NULL;
    const uint8_t *octets = NULL;
    int count = 0;
    X509_ALGOR *parameters = NULL;
    X509_PUBKEY_get0_param(&algorithm, &octets, &count, &parameters, X509_get_X509_PUBKEY(certificate));
    BIO_printf(out, "key ");
    print_oid(out, algorithm);
    EVP_PKEY *key = X509_get0_pubkey(certificate);
    BIGNUM *modulus = NULL, *exponent = NULL;
    if (key != NULL && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1 &&
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1) {
        char *n = BN_bn2hex(modulus), *e = BN_bn2hex(exponent);
        BIO_printf(out, " %s %s", n, e);
        OPENSSL_free(n);
        OPENSSL_free(e);
    }
    int kind = 0;
    const void *curve = NULL;
    X509_ALGOR_get0(NULL, &kind, &curve, parameters);
    int nid = kind == V_ASN1_OBJECT ? OBJ_obj2nid(curve) : NID_undef;
    // The octets as they stand: the point need not lie on the curve.
    if (OBJ_obj2nid(algorithm) == NID_X9_62_id_ecPublicKey && (nid == NID_X9_62_prime256v1 || nid == NID_secp384r1)) {
        BIO_printf(out, " %s ", OBJ_nid2sn(nid));
        for (int i = 0; i < count; i++) BIO_printf(out, "%02x", octets[i]);
    }
    BN_free(modulus);
    BN_free(exponent);
    BIO_printf(out, "\n");
}

size_t oracle_certificate(const uint8_t *der, size_t length, char *text, size_t size) {
    ERR_clear_error();
    if (length > LONG_MAX || size == 0) return 0;
    const uint8_t *cursor = der;
    X509 *certificate = d2i_X509(NULL, &cursor, (long)length);
    BIO *out = BIO_new(BIO_s_mem());
    size_t written = 0;
    if (certificate != NULL && cursor == der + length && out != NULL) {
        BIO_printf(out, "version %ld\nserial ", X509_get_version(certificate) + 1);
        BIGNUM *serial = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
        char *decimal = BN_bn2dec(serial);
        BIO_printf(out, "%s\n", decimal);
        OPENSSL_free(decimal);
        BN_free(serial);
        print_time(out, "from", X509_get0_notBefore(certificate));
        print_time(out, "until", X509_get0_notAfter(certificate));
        print_name(out, "issuer", X509_get_issuer_name(certificate));
        print_name(out, "subject", X509_get_subject_name(certificate));
        print_key(out, certificate);
        for (int i = 0; i < X509_get_ext_count(certificate); i++) {
            X509_EXTENSION *extension = X509_get_ext(certificate, i);
            const ASN1_OCTET_STRING *value = X509_EXTENSION_get_data(extension);
            BIO_printf(out, "extension ");
            print_oid(out, X509_EXTENSION_get_object(extension));
            BIO_printf(out, " %s ", X509_EXTENSION_get_critical(extension) != 0 ? "critical" : "optional");
            print_hex(out, ASN1_STRING_get0_data(value), ASN1_STRING_length(value));
        }
        const ASN1_BIT_STRING *signature = NULL;
        const X509_ALGOR *algorithm = NULL;
        const ASN1_OBJECT *object = NULL;
        X509_get0_signature(&signature, &algorithm, certificate);
        X509_ALGOR_get0(&object, NULL, NULL, algorithm);
        BIO_printf(out, "signed ");
        print_oid(out, object);
        BIO_printf(out, " ");
        print_hex(out, ASN1_STRING_get0_data(signature), ASN1_STRING_length(signature));
        char *data = NULL;
        long count = BIO_get_mem_data(out, &data);
        if (count > 0 && (size_t)count <= size) {
            memcpy(text, data, (size_t)count);
            written = (size_t)count;
        }
    }
    BIO_free(out);
    X509_free(certificate);
    ERR_clear_error();
    return written;
}
