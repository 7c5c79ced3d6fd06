/// The dotted form of an OBJECT IDENTIFIER's content octets (X.690 8.19), or nil when they are malformed.
func dottedObjectIdentifier(_ content: ArraySlice<UInt8>) -> String? {
    guard let last = content.last, last & 0x80 == 0, content.count <= 128 else { return nil }
    var arcs: [UInt64] = []
    var value: UInt64 = 0
    var isFirst = true
    for octet in content {
        if isFirst && octet == 0x80 { return nil }
        guard value <= UInt64.max >> 7 else { return nil }
        value = value << 7 | UInt64(octet & 0x7F)
        isFirst = octet & 0x80 == 0
        guard isFirst else { continue }
        if arcs.isEmpty {
            let root = min(value / 40, 2)
            arcs = [root, value - 40 * root]
        } else {
            arcs.append(value)
        }
        value = 0
    }
    return arcs.map(String.init).joined(separator: ".")
}

/// The name of an object identifier as its standard gives it, or nil.
func objectIdentifierName(_ dotted: String) -> String? { objectIdentifierNames[dotted] }

/// Whether an identifier names a certificate extension, whose value holds DER by definition (RFC 5280 4.1.2.9).
func isExtensionIdentifier(_ dotted: String) -> Bool {
    dotted.hasPrefix("2.5.29.") || dotted.hasPrefix("1.3.6.1.5.5.7.1.") || dotted.hasPrefix("1.2.840.113635.100.6.")
}

private let objectIdentifierNames: [String: String] = [
    // PKCS #7 and CMS (RFC 5652)
    "1.2.840.113549.1.7.1": "data",
    "1.2.840.113549.1.7.2": "signedData",
    "1.2.840.113549.1.7.3": "envelopedData",
    "1.2.840.113549.1.7.5": "digestedData",
    "1.2.840.113549.1.7.6": "encryptedData",
    "1.2.840.113549.1.9.16.1.2": "authData",
    "1.2.840.113549.1.9.16.1.4": "tSTInfo",
    // PKCS #9 attributes
    "1.2.840.113549.1.9.1": "emailAddress",
    "1.2.840.113549.1.9.3": "contentType",
    "1.2.840.113549.1.9.4": "messageDigest",
    "1.2.840.113549.1.9.5": "signingTime",
    "1.2.840.113549.1.9.6": "countersignature",
    "1.2.840.113549.1.9.14": "extensionRequest",
    "1.2.840.113549.1.9.15": "smimeCapabilities",
    "1.2.840.113549.1.9.52": "cmsAlgorithmProtection",
    "1.2.840.113549.1.9.16.2.14": "timeStampToken",
    "1.2.840.113549.1.9.16.2.47": "signingCertificateV2",
    // Algorithms
    "1.2.840.113549.1.1.1": "rsaEncryption",
    "1.2.840.113549.1.1.2": "md2WithRSAEncryption",
    "1.2.840.113549.1.1.4": "md5WithRSAEncryption",
    "1.2.840.113549.1.1.5": "sha1WithRSAEncryption",
    "1.2.840.113549.1.1.7": "rsaesOaep",
    "1.2.840.113549.1.1.8": "mgf1",
    "1.2.840.113549.1.1.10": "rsassaPss",
    "1.2.840.113549.1.1.11": "sha256WithRSAEncryption",
    "1.2.840.113549.1.1.12": "sha384WithRSAEncryption",
    "1.2.840.113549.1.1.13": "sha512WithRSAEncryption",
    "1.2.840.113549.1.1.14": "sha224WithRSAEncryption",
    "1.2.840.113549.2.2": "md2",
    "1.2.840.113549.2.5": "md5",
    "1.2.840.113549.3.7": "des-ede3-cbc",
    "1.3.14.3.2.26": "sha1",
    "1.3.14.3.2.29": "sha1WithRSA",
    "2.16.840.1.101.3.4.2.1": "sha256",
    "2.16.840.1.101.3.4.2.2": "sha384",
    "2.16.840.1.101.3.4.2.3": "sha512",
    "2.16.840.1.101.3.4.2.4": "sha224",
    "1.2.840.10040.4.1": "dsa",
    "1.2.840.10045.2.1": "ecPublicKey",
    "1.2.840.10045.3.1.7": "prime256v1",
    "1.2.840.10045.4.1": "ecdsa-with-SHA1",
    "1.2.840.10045.4.3.2": "ecdsa-with-SHA256",
    "1.2.840.10045.4.3.3": "ecdsa-with-SHA384",
    "1.2.840.10045.4.3.4": "ecdsa-with-SHA512",
    "1.3.132.0.34": "secp384r1",
    "1.3.132.0.35": "secp521r1",
    "1.3.101.112": "ed25519",
    // X.520 attributes of names
    "2.5.4.3": "commonName",
    "2.5.4.4": "surname",
    "2.5.4.5": "serialNumber",
    "2.5.4.6": "countryName",
    "2.5.4.7": "localityName",
    "2.5.4.8": "stateOrProvinceName",
    "2.5.4.9": "streetAddress",
    "2.5.4.10": "organizationName",
    "2.5.4.11": "organizationalUnitName",
    "2.5.4.12": "title",
    "2.5.4.42": "givenName",
    "2.5.4.97": "organizationIdentifier",
    "0.9.2342.19200300.100.1.1": "userId",
    "0.9.2342.19200300.100.1.25": "domainComponent",
    // Certificate extensions (RFC 5280)
    "2.5.29.9": "subjectDirectoryAttributes",
    "2.5.29.14": "subjectKeyIdentifier",
    "2.5.29.15": "keyUsage",
    "2.5.29.16": "privateKeyUsagePeriod",
    "2.5.29.17": "subjectAltName",
    "2.5.29.18": "issuerAltName",
    "2.5.29.19": "basicConstraints",
    "2.5.29.20": "cRLNumber",
    "2.5.29.21": "reasonCode",
    "2.5.29.30": "nameConstraints",
    "2.5.29.31": "cRLDistributionPoints",
    "2.5.29.32": "certificatePolicies",
    "2.5.29.32.0": "anyPolicy",
    "2.5.29.33": "policyMappings",
    "2.5.29.35": "authorityKeyIdentifier",
    "2.5.29.36": "policyConstraints",
    "2.5.29.37": "extKeyUsage",
    "2.5.29.37.0": "anyExtendedKeyUsage",
    "2.5.29.54": "inhibitAnyPolicy",
    "1.3.6.1.5.5.7.1.1": "authorityInfoAccess",
    "1.3.6.1.5.5.7.2.1": "cps",
    "1.3.6.1.5.5.7.2.2": "unotice",
    "1.3.6.1.5.5.7.3.1": "serverAuth",
    "1.3.6.1.5.5.7.3.2": "clientAuth",
    "1.3.6.1.5.5.7.3.3": "codeSigning",
    "1.3.6.1.5.5.7.3.4": "emailProtection",
    "1.3.6.1.5.5.7.3.8": "timeStamping",
    "1.3.6.1.5.5.7.3.9": "OCSPSigning",
    "1.3.6.1.5.5.7.48.1": "ocsp",
    "1.3.6.1.5.5.7.48.2": "caIssuers",
    "1.3.6.1.4.1.11129.2.4.2": "signedCertificateTimestampList",
    "2.16.840.1.113730.1.1": "netscapeCertType",
    // Apple (certification practice statements; 1.2.840.113635.100.6 are certificate extensions)
    "1.2.840.113635.100.5.1": "appleCertificatePolicy",
    "1.2.840.113635.100.5.6.1": "appleReceiptSigningPolicy",
    "1.2.840.113635.100.4.1": "appleCodeSigning",
    "1.2.840.113635.100.4.13": "applePackageSigning",
    "1.2.840.113635.100.6.1.2": "appleMarker.iPhoneDeveloper",
    "1.2.840.113635.100.6.1.3": "appleMarker.appStoreSigning",
    "1.2.840.113635.100.6.1.4": "appleMarker.iPhoneDistribution",
    "1.2.840.113635.100.6.1.7": "appleMarker.macAppSubmission",
    "1.2.840.113635.100.6.1.12": "appleMarker.macDeveloper",
    "1.2.840.113635.100.6.1.13": "appleMarker.developerID",
    "1.2.840.113635.100.6.1.14": "appleMarker.developerIDInstaller",
    "1.2.840.113635.100.6.2.1": "appleMarker.worldwideDeveloperRelations",
    "1.2.840.113635.100.6.2.2": "appleMarker.iTunesStore",
    "1.2.840.113635.100.6.2.3": "appleMarker.applicationIntegration",
    "1.2.840.113635.100.6.2.6": "appleMarker.developerIDCertificationAuthority",
    "1.2.840.113635.100.6.2.14": "appleMarker.applicationIntegrationG3",
    "1.2.840.113635.100.6.5.1": "appleMarker.iTunesStoreReceipt",
    "1.2.840.113635.100.6.11.1": "appleMarker.appStoreReceiptSigning",
    "1.2.840.113635.100.8.2": "appleAppAttest.nonce",
    "1.2.840.113635.100.9.1": "appleHashAgility",
    "1.2.840.113635.100.9.2": "appleHashAgilityV2",
]
