/// The object identifiers that decoding and validating need, written as their content octets. Their names stand with
/// those of others in the table of ``name``.
extension ObjectIdentifier {
    // Content types, RFC 5652 section 4 and after.
    @inlinable package static var data: Self { Self(0x2A86_4886_F70D_0107_01, count: 9) }
    @inlinable package static var signedData: Self { Self(0x2A86_4886_F70D_0107_02, count: 9) }

    // Signed attributes, RFC 5652 section 11.
    @inlinable package static var contentTypeAttribute: Self { Self(0x2A86_4886_F70D_0109_03, count: 9) }
    @inlinable package static var messageDigestAttribute: Self { Self(0x2A86_4886_F70D_0109_04, count: 9) }
    @inlinable package static var signingTimeAttribute: Self { Self(0x2A86_4886_F70D_0109_05, count: 9) }
    @inlinable package static var countersignatureAttribute: Self { Self(0x2A86_4886_F70D_0109_06, count: 9) }

    // Digests, RFC 3370 section 2.1 and RFC 5754 section 2.
    @inlinable package static var sha1: Self { Self(0x2B0E_0302_1A, count: 5) }
    @inlinable package static var sha256: Self { Self(0x6086_4801_6503_0402_01, count: 9) }
    @inlinable package static var sha384: Self { Self(0x6086_4801_6503_0402_02, count: 9) }
    @inlinable package static var sha512: Self { Self(0x6086_4801_6503_0402_03, count: 9) }
    @inlinable package static var md5: Self { Self(0x2A86_4886_F70D_0205, count: 8) }

    // Keys and signatures, RFC 8017 appendix C and RFC 5758.
    @inlinable package static var rsaEncryption: Self { Self(0x2A86_4886_F70D_0101_01, count: 9) }
    @inlinable package static var md5WithRSAEncryption: Self { Self(0x2A86_4886_F70D_0101_04, count: 9) }
    @inlinable package static var sha1WithRSAEncryption: Self { Self(0x2A86_4886_F70D_0101_05, count: 9) }
    @inlinable package static var rsassaPSS: Self { Self(0x2A86_4886_F70D_0101_0A, count: 9) }
    @inlinable package static var sha256WithRSAEncryption: Self { Self(0x2A86_4886_F70D_0101_0B, count: 9) }
    @inlinable package static var sha384WithRSAEncryption: Self { Self(0x2A86_4886_F70D_0101_0C, count: 9) }
    @inlinable package static var sha512WithRSAEncryption: Self { Self(0x2A86_4886_F70D_0101_0D, count: 9) }
    @inlinable package static var ecPublicKey: Self { Self(0x2A86_48CE_3D02_01, count: 7) }
    @inlinable package static var ecdsaWithSHA256: Self { Self(0x2A86_48CE_3D04_0302, count: 8) }
    @inlinable package static var ecdsaWithSHA384: Self { Self(0x2A86_48CE_3D04_0303, count: 8) }

    // Certificate extensions, RFC 5280 section 4.2.1.
    @inlinable package static var subjectKeyIdentifier: Self { Self(0x551D0E, count: 3) }
    @inlinable package static var keyUsage: Self { Self(0x551D0F, count: 3) }
    @inlinable package static var basicConstraints: Self { Self(0x551D13, count: 3) }
    @inlinable package static var certificatePolicies: Self { Self(0x551D20, count: 3) }
    @inlinable package static var authorityKeyIdentifier: Self { Self(0x551D23, count: 3) }
    @inlinable package static var extendedKeyUsage: Self { Self(0x551D25, count: 3) }
    @inlinable package static var subjectAlternativeName: Self { Self(0x551D11, count: 3) }
    @inlinable package static var issuerAlternativeName: Self { Self(0x551D12, count: 3) }
    @inlinable package static var nameConstraints: Self { Self(0x551D1E, count: 3) }
    @inlinable package static var crlDistributionPoints: Self { Self(0x551D1F, count: 3) }
    /// 1.3.6.1.5.5.7.1.14 (RFC 3820).
    @inlinable package static var proxyCertificateInformation: Self { Self(0x2B06_0105_0507_010E, count: 8) }
    /// 1.3.6.1.5.5.7.1.7 and .8 (RFC 3779).
    @inlinable package static var addressBlocks: Self { Self(0x2B06_0105_0507_0107, count: 8) }
    @inlinable package static var autonomousSystems: Self { Self(0x2B06_0105_0507_0108, count: 8) }
    /// 2.16.840.1.113730.1.1.
    @inlinable package static var netscapeCertificateType: Self { Self(0x6086_4801_86F8_4201_01, count: 9) }

    // Usages of RFC 5280 section 4.2.1.12.
    @inlinable package static var anyExtendedKeyUsage: Self { Self(0x551D_2500, count: 4) }
    @inlinable package static var serverAuthentication: Self { Self(0x2B06_0105_0507_0301, count: 8) }
    @inlinable package static var clientAuthentication: Self { Self(0x2B06_0105_0507_0302, count: 8) }
    @inlinable package static var timeStamping: Self { Self(0x2B06_0105_0507_0308, count: 8) }
    @inlinable package static var ocspSigning: Self { Self(0x2B06_0105_0507_0309, count: 8) }
    @inlinable package static var codeSigning: Self { Self(0x2B06_0105_0507_0303, count: 8) }

    // Apple's arc for certificate extensions, 1.2.840.113635.100.6.
    /// 1.2.840.113635.100.6.11.1 on certificates that sign App Store receipts (Apple's receipt validation guide).
    @inlinable package static var appleReceiptSigning: Self { Self(0x2A86_4886_F763_6406_0B01, count: 10) }
    /// 1.2.840.113635.100.6.2.1 on the Worldwide Developer Relations intermediates.
    @inlinable package static var appleWWDRIntermediate: Self { Self(0x2A86_4886_F763_6406_0201, count: 10) }
    /// 1.2.840.113635.100.6.5.1 on the purchase receipt certificates of iOS 6-style receipts (observed).
    @inlinable package static var applePurchaseReceiptSigning: Self { Self(0x2A86_4886_F763_6406_0501, count: 10) }
    /// 1.2.840.113635.100.6.2.2 on the iTunes Store intermediate (observed).
    @inlinable package static var appleITunesStoreIntermediate: Self { Self(0x2A86_4886_F763_6406_0202, count: 10) }
    /// 1.2.840.113635.100.12.15 on certificates that sign App Attest receipts (observed).
    @inlinable package static var appleAppAttestSigning: Self { Self(0x2A86_4886_F763_640C_0F, count: 9) }
    /// 1.2.840.113635.100.6.2.3 on Apple Application Integration intermediates (observed).
    @inlinable package static var appleApplicationIntegration: Self { Self(0x2A86_4886_F763_6406_0203, count: 10) }
    /// 1.2.840.113635.100.6.2, under which Apple marks intermediates.
    package var isAppleIntermediateMarker: Bool {
        content.starts(with: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 6, 2])
    }
    /// 1.2.840.113635.100.6, under which all of Apple's certificate extensions lie: the first 8 of 9 content octets or more.
    package var isAppleCertificateExtension: Bool {
        content.starts(with: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 6])
    }
}
