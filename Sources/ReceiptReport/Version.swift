/// The version of the package: of its libraries, the tool and the C interface.
package let version = "0.2.0"  // Scripts/version reads this line.
