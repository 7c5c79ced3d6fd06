extension ForgedReceipt {
    /// The payload: a SET of attributes.
    public func payload() throws(ForgeError) -> BERNode {
        .set(try attributes().map(\.node), sorted: style == .appStore)
    }

    /// The attributes, by type.
    public func attributes() throws(ForgeError) -> [ForgedAttribute] {
        let hash = try deviceHash.orMake(computedDeviceHash)
        let usual: [(Int, ForgedAttribute.Value?)] = [
            (0, environment.map { .utf8String($0.rawValue) }),
            (1, appItemID.map { .integer($0) }),
            (2, bundleID.map { .utf8String($0) }),
            (3, applicationVersion.map { .utf8String($0) }),
            (4, opaqueValue.map { .octets($0) }),
            (5, .octets(hash)),
            (6, unknownBlobs.first.map { .octets($0) }),
            (7, unknownBlobs.dropFirst().first.map { .octets($0) }),
            (8, undocumentedDate.map { .ia5String($0) }),
            (9, style == .appStore ? .integer(0x5033_3035) : nil),
            (10, ageRating.map { .ia5String($0) }),
            (11, developerID.map { .integer($0) }),
            (12, creationDate.map { .ia5String($0) }),
            (13, style == .appStore ? .integer(180_500) : nil),
            (14, style == .appStore ? .integer(205) : nil),
            (15, downloadID.map { .integer($0) }),
            (16, versionExternalIdentifier.map { .integer($0) }),
            (18, originalPurchaseDate.map { .ia5String($0) }),
            (19, originalApplicationVersion.map { .utf8String($0) }),
            (20, platform == 3 ? .utf8String("") : nil),
            (21, expirationDate.map { .ia5String($0) }),
            (23, organizationName.map { .utf8String($0) }),
            (25, platform.map { .integer($0) }),
            (32, preorderDate.map { .ia5String($0) }),
        ]
        var overrides = overrides
        // On App Store receipts attribute 4 alone has version 2.
        if style == .appStore, let opaqueValue, overrides[4] == nil {
            overrides[4] = [ForgedAttribute(4, version: 2, .octets(opaqueValue))]
        }
        let bought = purchases.enumerated().map { number, purchase in
            ForgedAttribute(17, .element(purchase.node(number: number, style: style)))
        }
        if style == .appStore { return ForgedAttribute.merge(usual, overrides) + bought + extraAttributes }
        // Xcode keeps attributes in the order of their types: purchases before the expiration date.
        let head = ForgedAttribute.merge(usual.filter { $0.0 < 17 }, overrides.filter { $0.key < 17 })
        let tail = ForgedAttribute.merge(usual.filter { $0.0 > 17 }, overrides.filter { $0.key >= 17 })
        return head + bought + tail + extraAttributes
    }

    /// SHA-1 over the device's bytes, the opaque value and the bundle identifier with its tag and length: Apple's
    /// receipt validation guide, "Compute the Hash of the GUID".
    public func computedDeviceHash() throws(ForgeError) -> [UInt8] {
        let bundle = bundleID.map { BERNode.utf8String($0).encoded } ?? []
        return try DigestAlgorithm.sha1.digest(deviceID + (opaqueValue ?? []) + bundle)
    }
}
