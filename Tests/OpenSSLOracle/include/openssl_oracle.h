#ifndef OPENSSL_ORACLE_H
#define OPENSSL_ORACLE_H

#include <stddef.h>
#include <stdint.h>

// What libcrypto itself says about some bytes: the second opinion of the tests. Nothing outside the tests links this.
//
// Certificates are passed as their DER one after the other in one buffer. Everything runs in a private library
// context, so that the host's openssl.cnf moves no answer. Each function leaves the thread's error queue empty.

// Options of the verifying functions, combined with |.
enum {
    ORACLE_CHECK_SELF_SIGNED = 1,  // also check the signature of a self-signed root (X509_V_FLAG_CHECK_SS_SIGNATURE)
    ORACLE_PARTIAL_CHAIN = 2,      // any given root ends the chain, self-signed or not (X509_V_FLAG_PARTIAL_CHAIN)
    ORACLE_STRICT = 4,             // X509_V_FLAG_X509_STRICT
    ORACLE_NO_CHAIN = 8,           // only the signature over the content; the signer's certificate is not verified
};

// The room a caller gives for an error text, in bytes, with its final NUL.
#define ORACLE_ERROR_SIZE 320

// CMS_verify: purpose any, auth level 0, at a time in seconds since 1970. Returns 1, or 0 with the reason in `error`.
// On success, when `payload` is not NULL, it holds the content and is to be freed with oracle_free.
int oracle_cms_verify(const uint8_t *der, size_t length, const uint8_t *roots, size_t roots_length,
                      const uint8_t *intermediates, size_t intermediates_length, int64_t at, int options,
                      uint8_t **payload, size_t *payload_length, char *error);

// PKCS7_verify, in the same manner.
int oracle_pkcs7_verify(const uint8_t *der, size_t length, const uint8_t *roots, size_t roots_length,
                        const uint8_t *intermediates, size_t intermediates_length, int64_t at, int options,
                        uint8_t **payload, size_t *payload_length, char *error);

// X509_verify_cert for one leaf. Returns 1, or 0 with the reason in `error`.
int oracle_x509_verify(const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediates,
                       size_t intermediates_length, const uint8_t *roots, size_t roots_length, int64_t at, int options,
                       char *error);

// EVP_DigestVerify with a certificate's key, PKCS #1 v1.5 for RSA. Returns 1, or 0 with the reason in `error`.
int oracle_signature_verify(const uint8_t *certificate, size_t certificate_length, const char *digest,
                            const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length,
                            char *error);

// d2i_CMS_ContentInfo alone. Returns the number of bytes read (less than `length` when something follows), or -1.
long oracle_d2i_cms(const uint8_t *der, size_t length, char *error);

// What d2i_CMS_ContentInfo made of a SignedData, in one buffer to be freed with oracle_free: each part as a kind ('c' for
// the content, 'x' for a certificate, 's' for a signature), its length in eight octets, the lowest first, and its bytes.
// Returns 1, or 0 when libcrypto refuses the bytes or they are not a whole SignedData with content.
int oracle_cms_parts(const uint8_t *der, size_t length, uint8_t **parts, size_t *parts_length);

// d2i_X509 alone. Returns the number of bytes read, or -1.
long oracle_d2i_x509(const uint8_t *der, size_t length, char *error);

// What d2i_X509 reads from a certificate, a line for each field: `version`, `serial` in decimal, `from` and `until` in
// seconds since 1970, `issuer` and `subject` with the last part first, `key` with its algorithm and, for RSA, modulus and
// exponent in hexadecimal, an `extension` each, `signed` with algorithm and signature. Returns the number of bytes written
// (no final NUL), or 0 when the certificate is refused or something follows it.
size_t oracle_certificate(const uint8_t *der, size_t length, char *text, size_t size);

// One element as ASN1_get_object sees it. `length` is -1 when indefinite; an end-of-contents is an element too.
typedef struct {
    size_t offset;
    size_t header_length;
    long length;
    int depth;
    int tag;
    int tag_class;
    int constructed;
} oracle_element;

// Walks all elements in order, parents before children. Returns how many there are (which may be more than
// `capacity`; only that many are stored), or -1 with the reason in `error`.
long oracle_asn1_walk(const uint8_t *der, size_t length, oracle_element *elements, size_t capacity, char *error);

// One primitive element (BOOLEAN, INTEGER, BIT STRING, NULL, OBJECT IDENTIFIER, UTF8String, IA5String or a time) by
// libcrypto's d2i function for its tag. Writes the value as text: a number in decimal, the octets of a string in
// hexadecimal (of a BIT STRING with `/` and the unused bits), a time in seconds since 1970. Returns how many bytes were
// read, or -1.
long oracle_primitive(const uint8_t *der, size_t length, char *text, size_t size);

// A digest by name ("SHA1", "SHA256"). Returns its length, at most 64, or 0.
size_t oracle_digest(const char *name, const uint8_t *bytes, size_t length, uint8_t *digest);

// Puts an allocator under libcrypto that can fail; 0 where libcrypto has allocated already. Once for a process.
int oracle_replace_allocator(void);

// From now on, the allocation of that number fails, the next being the first; none for 0.
void oracle_fail_allocation(long number);

// How many allocations there were since then. None fails any more.
long oracle_count_allocations(void);

// What a function returns in a copy of this process, 0 to 255; -1 where it did not come to its end.
int oracle_in_child(int (*body)(void));

// This thread's error queue as an application would have it: `count` entries, and a mark on the newest if asked for.
void oracle_fill_errors(int count, int is_marked);

// How many entries the queue has, the oldest being those of `oracle_fill_errors`; -1 when they are others. Empties it.
// With a mark, -1 too unless what is put on top of it goes when the queue is popped to the mark.
int oracle_count_errors(int is_marked);

void oracle_free(void *memory);

// The version of the libcrypto that answers.
const char *oracle_version(void);

#endif
