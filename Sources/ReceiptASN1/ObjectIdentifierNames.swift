/// Names of object identifiers, for people. This is the only table of them.
extension ObjectIdentifier {
    /// The name that the identifier's standard gives it, for example `sha256WithRSAEncryption`, or nil.
    package var name: String? { names[self]?.name }

    /// The short name of an attribute of a Name (RFC 4514 section 3, PKCS #9), for example `CN`, or nil.
    package var shortName: String? { names[self]?.short }

    /// The name, or else the dotted form.
    package var nameOrDotted: String { name ?? description }

    /// Every identifier of the table.
    package static var named: [ObjectIdentifier] { Array(names.keys) }
}

extension ObjectIdentifier: ExpressibleByStringLiteral {
    /// The dotted form, in source only: a test holds every literal of the table to its form.
    @usableFromInline package init(stringLiteral dotted: String) {
        self = ObjectIdentifier(dotted: dotted) ?? ObjectIdentifier(0, count: 0)
    }
}

private let names: [ObjectIdentifier: (name: String, short: String?)] = [
    // PKCS #7 and CMS (RFC 5652)
    "1.2.840.113549.1.7.1": ("data", nil),
    "1.2.840.113549.1.7.2": ("signedData", nil),
    "1.2.840.113549.1.7.3": ("envelopedData", nil),
    "1.2.840.113549.1.7.5": ("digestedData", nil),
    "1.2.840.113549.1.7.6": ("encryptedData", nil),
    "1.2.840.113549.1.9.16.1.2": ("authData", nil),
    "1.2.840.113549.1.9.16.1.4": ("tSTInfo", nil),
    // PKCS #9 attributes
    "1.2.840.113549.1.9.1": ("emailAddress", "emailAddress"),
    "1.2.840.113549.1.9.3": ("contentType", nil),
    "1.2.840.113549.1.9.4": ("messageDigest", nil),
    "1.2.840.113549.1.9.5": ("signingTime", nil),
    "1.2.840.113549.1.9.6": ("countersignature", nil),
    "1.2.840.113549.1.9.14": ("extensionRequest", nil),
    "1.2.840.113549.1.9.15": ("smimeCapabilities", nil),
    "1.2.840.113549.1.9.52": ("cmsAlgorithmProtection", nil),
    "1.2.840.113549.1.9.16.2.14": ("timeStampToken", nil),
    "1.2.840.113549.1.9.16.2.47": ("signingCertificateV2", nil),
    // Algorithms
    "1.2.840.113549.1.1.1": ("rsaEncryption", nil),
    "1.2.840.113549.1.1.2": ("md2WithRSAEncryption", nil),
    "1.2.840.113549.1.1.4": ("md5WithRSAEncryption", nil),
    "1.2.840.113549.1.1.5": ("sha1WithRSAEncryption", nil),
    "1.2.840.113549.1.1.7": ("RSAES-OAEP", nil),
    "1.2.840.113549.1.1.8": ("MGF1", nil),
    "1.2.840.113549.1.1.10": ("RSASSA-PSS", nil),
    "1.2.840.113549.1.1.11": ("sha256WithRSAEncryption", nil),
    "1.2.840.113549.1.1.12": ("sha384WithRSAEncryption", nil),
    "1.2.840.113549.1.1.13": ("sha512WithRSAEncryption", nil),
    "1.2.840.113549.1.1.14": ("sha224WithRSAEncryption", nil),
    "1.2.840.113549.2.2": ("MD2", nil),
    "1.2.840.113549.2.5": ("MD5", nil),
    "1.2.840.113549.3.7": ("des-ede3-cbc", nil),
    "1.3.14.3.2.26": ("SHA-1", nil),
    "1.3.14.3.2.29": ("sha1WithRSA", nil),
    "2.16.840.1.101.3.4.2.1": ("SHA-256", nil),
    "2.16.840.1.101.3.4.2.2": ("SHA-384", nil),
    "2.16.840.1.101.3.4.2.3": ("SHA-512", nil),
    "2.16.840.1.101.3.4.2.4": ("SHA-224", nil),
    "1.2.840.10040.4.1": ("dsa", nil),
    "1.2.840.10045.2.1": ("ecPublicKey", nil),
    "1.2.840.10045.3.1.7": ("prime256v1", nil),
    "1.2.840.10045.4.1": ("ecdsa-with-SHA1", nil),
    "1.2.840.10045.4.3.2": ("ecdsa-with-SHA256", nil),
    "1.2.840.10045.4.3.3": ("ecdsa-with-SHA384", nil),
    "1.2.840.10045.4.3.4": ("ecdsa-with-SHA512", nil),
    "1.3.132.0.34": ("secp384r1", nil),
    "1.3.132.0.35": ("secp521r1", nil),
    "1.3.101.112": ("ed25519", nil),
    // X.520 attributes of names
    "2.5.4.3": ("commonName", "CN"),
    "2.5.4.4": ("surname", nil),
    "2.5.4.5": ("serialNumber", "serialNumber"),
    "2.5.4.6": ("countryName", "C"),
    "2.5.4.7": ("localityName", "L"),
    "2.5.4.8": ("stateOrProvinceName", "ST"),
    "2.5.4.9": ("streetAddress", nil),
    "2.5.4.10": ("organizationName", "O"),
    "2.5.4.11": ("organizationalUnitName", "OU"),
    "2.5.4.12": ("title", nil),
    "2.5.4.42": ("givenName", nil),
    "2.5.4.97": ("organizationIdentifier", nil),
    "0.9.2342.19200300.100.1.1": ("userId", "UID"),
    "0.9.2342.19200300.100.1.25": ("domainComponent", "DC"),
    // Certificate extensions (RFC 5280)
    "2.5.29.9": ("subjectDirectoryAttributes", nil),
    "2.5.29.14": ("subjectKeyIdentifier", nil),
    "2.5.29.15": ("keyUsage", nil),
    "2.5.29.16": ("privateKeyUsagePeriod", nil),
    "2.5.29.17": ("subjectAltName", nil),
    "2.5.29.18": ("issuerAltName", nil),
    "2.5.29.19": ("basicConstraints", nil),
    "2.5.29.20": ("cRLNumber", nil),
    "2.5.29.21": ("reasonCode", nil),
    "2.5.29.30": ("nameConstraints", nil),
    "2.5.29.31": ("cRLDistributionPoints", nil),
    "2.5.29.32": ("certificatePolicies", nil),
    "2.5.29.32.0": ("anyPolicy", nil),
    "2.5.29.33": ("policyMappings", nil),
    "2.5.29.35": ("authorityKeyIdentifier", nil),
    "2.5.29.36": ("policyConstraints", nil),
    "2.5.29.37": ("extKeyUsage", nil),
    "2.5.29.37.0": ("anyExtendedKeyUsage", nil),
    "2.5.29.54": ("inhibitAnyPolicy", nil),
    "1.3.6.1.5.5.7.1.1": ("authorityInfoAccess", nil),
    "1.3.6.1.5.5.7.1.7": ("ipAddrBlocks", nil),
    "1.3.6.1.5.5.7.1.8": ("autonomousSysIds", nil),
    "1.3.6.1.5.5.7.1.14": ("proxyCertInfo", nil),
    "1.3.6.1.5.5.7.2.1": ("cps", nil),
    "1.3.6.1.5.5.7.2.2": ("unotice", nil),
    "1.3.6.1.5.5.7.3.1": ("serverAuth", nil),
    "1.3.6.1.5.5.7.3.2": ("clientAuth", nil),
    "1.3.6.1.5.5.7.3.3": ("codeSigning", nil),
    "1.3.6.1.5.5.7.3.4": ("emailProtection", nil),
    "1.3.6.1.5.5.7.3.8": ("timeStamping", nil),
    "1.3.6.1.5.5.7.3.9": ("OCSPSigning", nil),
    "1.3.6.1.5.5.7.48.1": ("ocsp", nil),
    "1.3.6.1.5.5.7.48.2": ("caIssuers", nil),
    "1.3.6.1.4.1.11129.2.4.2": ("signedCertificateTimestampList", nil),
    "2.16.840.1.113730.1.1": ("netscapeCertType", nil),
    // Apple (certification practice statements; 1.2.840.113635.100.6 are certificate extensions)
    "1.2.840.113635.100.5.1": ("appleCertificatePolicy", nil),
    "1.2.840.113635.100.5.6.1": ("appleReceiptSigningPolicy", nil),
    "1.2.840.113635.100.4.1": ("appleCodeSigning", nil),
    "1.2.840.113635.100.4.13": ("applePackageSigning", nil),
    "1.2.840.113635.100.6.1.2": ("appleMarker.iPhoneDeveloper", nil),
    "1.2.840.113635.100.6.1.3": ("appleMarker.appStoreSigning", nil),
    "1.2.840.113635.100.6.1.4": ("appleMarker.iPhoneDistribution", nil),
    "1.2.840.113635.100.6.1.7": ("appleMarker.macAppSubmission", nil),
    "1.2.840.113635.100.6.1.12": ("appleMarker.macDeveloper", nil),
    "1.2.840.113635.100.6.1.13": ("appleMarker.developerID", nil),
    "1.2.840.113635.100.6.1.14": ("appleMarker.developerIDInstaller", nil),
    "1.2.840.113635.100.6.2.1": ("appleMarker.worldwideDeveloperRelations", nil),
    "1.2.840.113635.100.6.2.2": ("appleMarker.iTunesStore", nil),
    "1.2.840.113635.100.6.2.3": ("appleMarker.applicationIntegration", nil),
    "1.2.840.113635.100.6.2.6": ("appleMarker.developerIDCertificationAuthority", nil),
    "1.2.840.113635.100.6.2.14": ("appleMarker.applicationIntegrationG3", nil),
    "1.2.840.113635.100.6.5.1": ("appleMarker.iTunesStoreReceipt", nil),
    "1.2.840.113635.100.6.11.1": ("appleMarker.appStoreReceiptSigning", nil),
    "1.2.840.113635.100.8.2": ("appleAppAttest.nonce", nil),
    "1.2.840.113635.100.9.1": ("appleHashAgility", nil),
    "1.2.840.113635.100.9.2": ("appleHashAgilityV2", nil),
]
