/// Keys of other kinds, for chains that are to be refused.
extension TestKeys {
    /// An RSA key of 2,048 bits with the public exponent 3.
    public static let rsa2048Exponent3 = key(
        """
        MIIEowIBAAKCAQEAvUWz1oEH2Va4SUJfUJDBMfVc7EWvl55rWQGBfgYAlEXCWqFuUUG/NuOIUGlqoZ3qeaxajFqdTumL/6VcIuoo
        RyteLkmnTIpaJLUwJTKjSSO3VJTEUceQFQMKlBdkcJow1AmdwdaRaYB3f3jAP7OQcp3vlaV7CHZZLNY7O4sbgw/sR16h/1dQr7Sq
        UfH+tIEm5M2jAliutLhSAkVoQ/q/gR5mWVsdIinZicL8qEI6vX5hYhGfZJxvFjIJ2ICT/zpgdCnM04w3fajwDO2ljXOMGVqrB/sY
        L5LSICpvkB/1dVj7G/TRPf4fPkm7lQIQkVrcYsxXSVZ1JlwLxAPzMYTMcwIBAwKCAQB+LnfkVgU7jyWGLD+LCyt2o5NILnUPvvI7
        VlZUBABi2Sw8a57g1n957QWK8PHBE/GmcucIPGjfRl1VGOgXRsWEx5Qe28TdsZFtziAYzGzbbSTjDdg2hQq4rLG4D5hLEXXisRPW
        jwubqvpU+yrVImBMaUpjw6da+ZDIjtInshJXXs0i5RyVNtjT7ZsQhGlR0mvEmSVlSyzNk5ZnVcmBJte6dhRVLw3EZqAj4tBnxLrF
        tchsQWhhrvLb8EAP9v6s+xHY7SVtsWjNksdgXOTArI5fOoYxZNnG9pCXQNmjylWpxn/Jp9b74ScbKThFj8/+OXFE2kCDTp4QiMey
        X38Y/C/7AoGBAOTQwIZwNowwgUC+Tzdc8q9XfUj3xxfT2CwfjEBWt0GHHKerMkCQAsIzyByv+YaP0b/7nBCJ1Uuked+WNbw6/ImF
        1FN88BalxPs6ufmPw0QduWqWyuxpBYGyvDhR1Jb3wz0HKjwFG7d61jJFl05ZOVARv8xeBKp68/wxp4zch0xnAoGBANPCRnCvTn9B
        TwD63Clc0tXmaqHyoNOsgsRHuHmriTpiUKAuYkfrjScgJqdcoZwFG/TEE3JIQLcnz8oqWFnAxTwo8cEyEgOjh8nBqFTcrXJsyXcn
        GOUcG3eKjPDIm93+6/5mTtK/EK0atbTnEwo6y2JpxSomW92SmuQGzSevgzgVAoGBAJiLKwRKzwggVispiiTooco6U4X6hLqNOsgV
        CCrkeiuvaG/HdtW1VywihWh1UQRf4SqnvWBb44fC++pkI9LR/bED4uJTSrnD2Kd8e/u1LNgT0PG53J2bWQEh0tA2jbn6giivcX1Y
        vST8jswuZN7mJjVhKog+rcb8oqghGl3oWjLvAoGBAI0sLvXKNFTWNKtR6BuTNzlERxahwI0drILaevvHsNGW4GrJltqdCMTAGcTo
        a71YvU3YDPba1c9v39wcOuaAg31woSt2tq0Xr9vWcDiTHkxIhk9vZe4SvPpcXfXbEpP/R/7u3zcqCx4RzniaDLF8h5bxLhwZkpO3
        Ee1Z3hp1AiVjAoGBAIqAYVq6gly3bZQbSxCd17lJhmjVU36nHaTCNdr2OEsZz3tnkRq5CxUo5adzrYnGZArKHH6M5231UOHhWr4i
        yenVJqvjm2Uf71A6o5BO37oMBUZ41lucesYXoClbOmRxXXll6ZMOzytMdW5gPgYgpTVa5W02bxUG9uoZJc492SVe
        """)

    /// An RSA key of 512 bits, far too short.
    public static let rsa512 = key(
        """
        MIIBOgIBAAJBALJL/8bTNt7gYS+5+H63PAPugg8Kav+SJ9XjLzLcIkYb/FmZHM91yX/N2E9JuoGtaRoMh7D2QQCmH6ENsgmVrocC
        AwEAAQJBAIYWf9KAcAinyI9DFi3+EaWHTsqO9C8mNM03YPyn7yK3ka5n0wyoG7zr+rGlFH6BLC0IPpd998RdsS4G0PBB5XkCIQDe
        q/oaxxHNiiyA95KfbdwdQmm3ts9+Rp6JLSJvPnpUawIhAMz7uhUOX5E0pr1kdnGwzgaRZ6IWxI9tp1gQKWh52LVVAiADilR1rIiZ
        7gJ7InSQWFzRkkbABwYRiennYHJVtnaXdQIgKopfbvlBqh/0LsAHuMaJq2FH0aLJ/j4yiZspDM6kw9UCIAYrY6f4AKpvPNQGAmpv
        J35ao8d6L3gH09P5/JXMuIDG
        """)

    /// An RSA key of 1,024 bits, as in receipts of 2010.
    public static let rsa1024 = key(
        """
        MIICXQIBAAKBgQDW364J29EvO5D7dBy6Ylp82nFQx1v0VCdfRCq9Y5+pK+pvjAu8vZAoJ8ws8WZbez6zF0jFlQH60cp0C90pffiL
        iw+MucrqYXOIEmC0S3Md+2e19AvxDL1ef4RR5FR3Eg7+UEctBMAe5AU9LjP+DV/7HNh6hYf02WdLaNbxxgAK2QIDAQABAoGAeAnV
        rGRE5GIeiJtBQU6Yxo8yJrJ4yHIK3Mm0JsF0/IkwGsjd9b7gvc4d3i2txQWA7YPgf6DSzlBNDa9jCj75jdUJK0q0+smKXF5rubyf
        dcpOunanJeNsICeA8eUB6Ovj+lJq055BCsYzT0Dc+WdODcppsIboe1/u9uKAdr+nCgECQQD0TydKY3LRDeG6aIUbijz1PauaAueu
        tuutD0YMd9x31jcue0WNInAkWjQFkGeCiQPEKg7SDAgJUtElc9WHC0wJAkEA4SfvYQa2QLvAvan7YtxcKLrxOdTtNmgz+nketWfD
        l6RxY+9h75H8ARnWs5ZXxywuFBO7UxiQNGNqDxb4VTwcUQJBAJCtFx1sSyAV0mjrYHfwoyyvuqFXuw+x71rqwpa7nGmzB7aU9Zkg
        nbxJVqk83K9mqD5Qkbo9ubybuJMvR3HTdNECQQDGrLtwrUCCrGmtsmFNYc68bgDPnBBY8ufyu4+aWN5hX8xid2e+wt1Qh2FJhH8e
        E+Dw/FxOPZ15bMO4XvdwFqORAkByUxv2Q08m+fQhQVnbTRXYAjhDkUHujbpIh4MYJmYi2Ce7SsJ8X7EqJStkvfnK9uLo+KNdFK04
        H3RCB2lT9/ev
        """)

    /// An RSA key of 2,047 bits, one bit short of Apple's.
    public static let rsa2047 = key(
        """
        MIIEoAIBAAKCAQBeyxfBLDQSjyIaWmPM46Nl+TyBVLQNm7yZKI08NR7CV+PFXNFojXSx2h2NbkQhYfqu6LPyWYRaiWKH658UODkc
        9WgP75SZWRxaOkrUbz33MJK7IlwQ7rhC0lzmla8bO0S4/AEIvUTlrk5ARc8elm7GH0vK8gJvI5vo0yBW0FUa674BHhrzCOzI6XMO
        H/DGrOg7idoxbzInwqN+puijhnIKST5FRCvh1iYVLBdKNfTPu12FNuhmBtLoVse1oCzzXncAWztDojkYJhKr7Ke01tMi3TFPQpzk
        Jp9bvLHKwgOQJabDvfo4rRzwIrtI1MTllJ++n5j0qbTUAV3hNiY6kGlbAgMBAAECggEAXfjF9slkYdWlQCzFbRNqI6g91BRtXmQ6
        RjcONFaQxKaudTQ7oINC4SFSVKewQMvJ4OVtpl4ZuEsj84ygqkHGVK/v1oRycscFNWk+T3RsIIX1oDBCxsJwxkWWtTxEWCGcUin4
        uHoxN+RhTJQn7LHC5QOXdnwN77GEWP4bvBRRmhowSnMWlZIXDW36ztFYd3n/bj/ER2icANFdiDIOU62ZH3z8qfNAqWThEBe1t5vI
        bwWVGWuS2eLopqL2gPtavPPa+2lIUNHl1CTC8kmnqA73SSG6tB4LG7aERdKugn29L3nZjvgZWYrCHS5tU/gY1Gjz1YeZbR3QPAU+
        TJra5XuJKQKBgQDyR+GQAwHExNqcrxtAgfZYp6VaAc7SSvfHUKzlPaj6r0Yj+0x76sXl40L4N76WZtYUVQ62Y0iaq0HJpyWddS9B
        SN3qCcMm8KUrJWA5L3LpNGJ9wNG8f3V5QMI+VQ1LC3as+x1OuIer05EOCGnk9EORREw8aNl4v/1cu42wR7slFwKBgGQpOTJ+ev3z
        XthWk9cKxMIdlEHukWREHle7D+heQ7UAdnCXLMXuEMfpiAo+A1FVIHwvGi+2MOi4aotmltpv3ee0cEuob73t6sTo1II3TFRaFgS5
        XjTQ6zrCYkYUBRzlywXek6BKrem3wNg2K8FYCclhzp+YmlJRcJJJRS6PYZBdAoGAXDA/wtVyEdY5vM7gVr5c50T7JPF1Kg1+lKe8
        8glxR9nznXNcmfYuURgVfm9vpLkCkn/+9iV3Fes+QCXKqUxSq8u3LPuD90gwAOfa4keMuPHG3ETHSatSHs4mWyNvyHNXN+DhOPf8
        H8SD+Ev5RzYuk5LiU0YuIcUj+eofssjIjAcCgYAmpLT5o0zGj9AG/Zg6fmAdWJYrveSAX7upM3XWvA+5VL1dgSX4E3qL9rDS6swS
        5BoNb4rV36ANGaGZuPH4wvJFhBtTRWAfUhyi7gWXW8hqPvuBxRbwn64x1G9gBDdYx9vFnvMsA8QHiSqxAG1vQg08kizK7HCV0+/v
        sK8tYIpOzQKBgFr5vBY7PPFIlTPCPuDlxnGmyujEJckswK74qL3ALsLXmh52Btdmlu4/Xx2BdnXoPieW9rLoJrdYV/g1MAh3B6Hx
        GB/QV1QqV7cupyp6d09t+rHiOrZBDx4NIKCQSzwP0U4jZtKd+zW2mAYaVxAJtHB9vK9jrKHVc/FjwsuLUVGT
        """)

    /// An RSA key of 3,072 bits.
    public static let rsa3072 = key(
        """
        MIIG4wIBAAKCAYEAukYVRVrGZM+BSRSZU8/aAJfDrCVPIeeeyDgBWp7+Mjk8s5CZyDQvwI4WcSO0VIDBQfS3pLhTE7gniA2QmtoR
        pgsuUorhNrdV4oXA6akpleG6dm6jZMCKiKGkVyYQXUG36zjIKl2oCbFEUQnsQkwyH1z/BWZmr1kuhXhQaKlNojD6YMCJxTVc1NV2
        mnFOFJ/z2BsSoSfxaXdCA8Y2eTx3TSk5jTUkS1DnBvzDXX0eSbcQwQqG1dSUKx45F1fSgN49tvcBy87y48dxLTyqhu9FTiA1rLF1
        ubA9RFqNqnIfWMoPnWfxS/CA/1naxX02Xs4ec763T7hRAOiVkD8/eMKNdJw300uR7xrpI55CokucD8bGllapBLsc9dXWTSTBQWnq
        6Y47OtS0ySlROAdRBgpnXcCmXCKpCo0FBtFmdRGtQBkbR3+I20lvCFa73byOKI2J+cZxqbbyRvZsPFEYurTXTbgu9VCWzugtZwJ2
        jY6TdLvwmuL5u3qrkkYtoWhqXiuzAgMBAAECggGAB3H2U3bEzwPRG5040zX6WMcNcI1vbJjw1THYwHO5SQqc17gOpJVUEQ8yJOET
        5m4Vruww9uLRYejyD/4rscodUHg776Kn2uN00MeQeyLUGiCEy0tAHNkjDNAaB5MG5038I8yWNG+8UcX3gIG0Br87yvatl6OM7ZZi
        KRPBAFbNyMfm0SC52dt4fkm16Yd8uDoYcKJ3C9KaGswLI/0IuJKudgj0kEH31UpfE1Myxu3uFaYu9VvVWkXv4F/7pqFPpu+ekR7k
        JE1FYBTCa269koVLDHNTPLs2ZQRYBWMZ8jbpGK+daExow3oQ0rpEEklUyZsvQWIkXMWBkBn3SH/C+ZiBA9kYN2T2g9ryTA0uWQxq
        BU/+cg3O56fgnnKyncY/W++3Pbhl6lLCsOJa1ZMYhxTnIhPZ2fB7BljyIyyHqLFhvNWAECmSmdIZ/p8TOL1B72k7cono1cy28ssj
        bZxhTGuJRIl5TbF1wLO0fJTWsJ6O2PTEa6ErhiQzzdMPX+csv9ZBAoHBAPsKSRnIeWcIgsQH6MdPW+m24IlbJFDxb0yfRIXwYGvC
        8bs5gL2qDwSvpx4r8YOJnji913KYlcJ3nnjD2PM8jnqn+CNYXYJY4LGT2Ic1ua9vMGr7ofN+NJt8UY7neLBPCKS10J296knIoeTY
        MMc6rTZb+y4x+Mtm7DTZETKCHI+R2LLEsf7B9i9F72X7Gv57JigwEZmqgMKKMkVWWp3qtuf/qik6Xfrmmk3lhgy0B4VOLIQ/ZDn5
        fdjoIgaBYcLB4QKBwQC99DiYWNEpI++TaPoio5HfUfC4Pt8/ihdpU3lbrGmwnXMtovND7gCT1/AI/3YQiJQRjzH0gVp2udLllKqY
        E/i1fQ31s4lkaqWbfzT+cOtGWu7fHJp8ltNXc7Q8zZM8nW9F+jZrjK9zNg7x6pXGuTpmblnYOD3dRN4HaCzJ4ZWTpFm2ATTwB0R7
        AmSyLGjslTi962WeSmsdeKj0/UKJCXb9ix9FdXR16XXLWlID9lfnNq9ikoJzVrQlAPm2j5OyyBMCgcBlxdi27DBTlf61jGNRkhm4
        GVzUMq/5ZLfzf0ofZsEgTusDNR+9RJlMFA4TTEtgQUV0yXnzympEaYxEd1mX2sAEd95ALg3Sz0dgloic4CoENnaRmKwic9LOCkti
        PPMPvyrI47DMknbOLNl9ViwISQB53jZplva/N12hWzL+oAMGLWGFr/pdRrMQnTCdznw2GSTx+/LWsmn69F3HAGhCRyqZyWtpxXDe
        S+jYlamPstitsXCYuL5gRoY/jnRk4MUKWOECgcBXsRo7gq00r+lXBRyMxzR9g0d811Ga9LYwIqAg6Sx1o4pbpCFn18Uee47NqJmp
        slOg85ldRiYsL0ckQ4ip4nZr2oqKRlMEL5O6gHRHjnufJDWofHz5TWvNsJWhiEoTrp6DEKr05aLNrkQh/Gker749MW56uiQdNUDG
        7JnYrTKvUS01L8Nvl/tOSmGQO55Ise7bBoQIGlTu6xgc2ZpQxzTOgd5y43FbSebedRjtyVj1XbKD8B0XAAz0FEoztH68B08CgcEA
        4bgfkxtIfhF7O+jDm8or8CEDhvWcHQ4XRmMKN/cYbpDTPYFKEH7lN9vr93+EfKO5XE4nYtlWLpACAZ/i9R9K1itAD3M6e7tWytYy
        nmr4XdzPj4jGbN8dSt343EQeFaO/umU7Rcl/Ka9padHk2J9QTaQO3Hov/bIbCQaxgUxSUGDFwgVQa336t97+WnYWzm1OtvJEwMWj
        nXyoniKpDkIJZFkVU+0CS8Ds2BQ9htsZJyoq65e3Vc5wYbXE0dfNXcXr
        """)

    /// An RSA key of 4,096 bits.
    public static let rsa4096 = key(
        """
        MIIJKQIBAAKCAgEAqaUx8MGrbsA5E5UqwTzmi0uoyYq7pOdtpiC/vPuGgH8ezj1ga5TC1535OPjKbXaw4Uwq6yWxlKMVLWpWn7yd
        PstjbCe5dKv8qNqdhSsww56Doem9NurI6Jjsmvz9wjcxtTqW2HtUnSW5MOgyRWWjuwkEWD187g4j9B6CXAYcZshxQ8/x5Yllm5Xx
        d3Udio0UZP1w6TbntwIskZ57t1XKm2InezufYRxyHXQfNOx/2fi+OhdwM/IZrGFZzRxjsn2GKpwz15tYAnEqPD4PiwH814XxckoW
        cbgiPpcky49rFZhMpSTCGTJ6f0u7GsGzlPGgIbaozuDIU5HxvVOqJNPfZDNK58BxzReRA5odNCzv8ZK/9uOP1h/bljujlM/4N0Ai
        RBdxeZeThN3VY8OI4XHOoEFtZzHpv6DdlrwsMQlibOXPCBmpH7meNvDDu8fTKmduKxSszIHkUkeqxiZS2laoRrmLvwMxMPxnhczq
        WVdr3Hbe8h1orBQHvf9UccH8pFvHUPsVlsNPyRv1qYOfmAmVE6OMqBzjYdlZIxOZ4ej+u1POJhdRt9sunawp7Bv2xtMEE09mZXVN
        Z2D/Wwkb5nVZOs/X66WTs2dCxdI5CfLgGGZlGxA0eGez3WgfNrFtRLoGMD29Np6NbBL6wNMD9EpbpAbESy0eijEcRZ0CcyInqmkC
        AwEAAQKCAgADBNzfcu41tjobIxFRLJ/nMclfDdGdTjOKtxmRF8elh4LxNWZ+/5/wivUy6lAy6WpIK3fLj760vWq8mvWlRIERYM35
        Wvh0pF9mk15l2Wu18tRsSBmNOG7VydaTGFu9ON17ox9pBUKExJWNPTfwzs2z6psJ0CKmJg5bKK8AoNNg+7dH90jvy8BJHVPgNfoO
        EPOVwQIL2nA+TDhQvpmRx4xySQluFV9r8LVHWNLPLq1vSqXlqNdfC0jMQylq6lLhYSpnMs4ENnWMXz5wIZlwoOWiocBMXK0V02qu
        Qw29SXqkwPKN5qUFd7B2TbnBO1onv/LjNV8/cEC3EQQJ7ssFOlfcPEICyx3BDkr4loiDHPxwH4+HFPXJdYGJWyLfKODh+HwdOu51
        xL++/cqc3AwRUCDrmpjZckoUOwkYzRpQZPIEPx/DhNp/mgW1Nk6zxhHEljhcW24qkle76HiRDmR88qCYgtTIYjYeKcKmuv5oMgnY
        OgI+re6FghoeUqaR8jS6pEeK3NoTPT/0EkwJuAzgGsyrvyVj3n1HMzZ2HC5WzSA3twFB4/4Bil0RvG0bJlq/zTFgWmdHMHKHFTJF
        9VF0nFkIYnAgc/Rv5VRxcgMiTDz3oqCVd2c1E+irHoHpoLt/Ym57iBFiBvWd53GitygTYLDL9dah2jzrh+hfis/8Z4xrMQKCAQEA
        1N79Iz17YmLmZY5braP1o3udgOReRxIKFt23BdJYIKrGlFk4i5Syu7wCfdLTERLsB75tXbMV1WVgTQb3jqACVL8k0mrnoVkGiwY5
        8YY2Ra+syh2UPbiAWek349jjcBac1jzRcNNVUtRCBu0mNIhd7N//XWtwXyJ6tSAMIfb5spOskUsiKxBQR2ib3dVe/DRIiFrtDpfx
        ju2o1Vo0n8eY/as98/oIO/UKbocGVzMX2usUqxKUtJksRgpfLkj1Muc6win18GggJ5oUsgdpu6hhhAekRgCNxFv83IAH6MWS466F
        iRS0fuipQ0ax5OVRJNfbbTp+CYCOwXmWpvH2JPvTmQKCAQEAzAQ1zRvYBZDXd7iVF9ZkEaicVdlHZrjN6OQg/i/3DyHNRY6Afbhd
        HReCLi09AXvAVJ51S1BLZ0BQEl0KvhCLE5avCgkZ3QduT6T/Nkt+G6DApOWANIUHKHNAqEvG0sSX+BP0WZ3cRkPj8HfzHlfxxYzp
        6bbE1sodx1xoKXHsGzyg+F6BgqrT99ISuPKtYo5yvj4xbcyi5XqUXBfu4ymUFGJYwBZscCn6XqjtHLkvuitCBYcOqoFa9z8tWZzh
        AUJYaINa7LM/0SYoVS0j7yCMZkgdjqJ5onBMpY1kU/tmFstsk40Kd5g00ZQkHvCnYvkLmYJChsexJ7c3tHlFDgnPUQKCAQBlfK54
        9530iSxI7Lb+sPWybIPp6HaeMZaH0kqoxuDnKiQko+jWex0/beJONI4WTMwk4P/pNTFKnNttvc2WvOh/mOWoP/mQrg31iBFl+dO0
        I44gijubtXPT6eGQil3cmZtKdJJx1P+Pzsxv2u5lC0KkZSKtWkSnxptz8QR3yPTA07DpUEXI/C0Z7mCpQUnYueB+ycLNO1maB+p/
        VVNTfeiNv+94exMj6q5/hXZbamuMHpmq+d/VvlUiS12XhocILr+PxEuRw0LZPpdxTSF2q09aj/4ctbThEe4a/htHObLPQ+w8L5fi
        DXBtN64mb8Hg69ycVc+zHgxxZ1OQ4ji05y65AoIBAQCKI6OmQN8xTZSHjOTu4gyZ5FgOzPNKu4E42xb35dRcW5/ZJBceiTILG7ra
        t2jiUz+0TCLRnwmfXO2asYMvlJYG6nWUzvrDLV/k76yav90gqeUnAfqgFR72pas3CTAT0Gex4xkFgR0AOsHhNebZOeULxVExHb8E
        TJCDR6+DuI6NFq1L3vnEVxT1bTmeHzuFSzyoUgY3+WKnDSvde5sWFzYb40eCsOw1uka7x5fdZgrJ/LZUddFZZAMK/K0hS1cS+jBQ
        e/iZ4vkoDbUrj0gQhzJpoxTYWm0PrwhG5Ij1UHkcoBrhgZN/zQCek7ctd/duzYCsLYYMKrRqVuWR/rbiPYQxAoIBAQCSPoE2gcwk
        9T8ihbtXQ6AXdJsvwYKYcSJB8Q2gvUfPFkpjFNQgsbGYblsqPN13g4f9/6Oq2sf3SkC5Plt4dd8KaeHm7L0J8YPCTNXtbGGA03BB
        HkbSqeJxrmxU5pXrNJGZa7AgEayXZc5IEPckn60iZsgRJdt57ifb5TiGZTuL1vbhoBzSWHtaB4oqSN00/OaMizspQNrU74G2gV3I
        8CdOdo3svFEpJvvqc5nIQDwsjcPOHuJLWUfa8wE0nkmsHhIiw2WcDkES4hdEzzcW32amHwI4sD6gGifUIB7feUpsaILn2ojZUukq
        +o5nidKo39u8OHRTcV6xlIWABciDOoIh
        """)

    /// An RSA key of 8,192 bits.
    public static let rsa8192 = key(
        """
        MIISKAIBAAKCBAEA4eq6D+xXeTgjSsyRyOKQC+awgAXmz6XaL8LaPc0cjjpFoE/efnw/xtX42dsnDVAxYzavLS/dTxnnNOeYJLIJ
        OZYOBReSfnyaNHjcy+FcomASQ3hBhOLRVhCDHjMs01naLxQWUHEDooN7DP59MFwiqoCwQCPkNXFpHwv1hRG8eMYrSqGqGb3sUaTN
        PdM1kUt1x7hLivOkQaU6PGKQB6qXr80P4T9FS/hWlqUGbIcXhIALBKfhH7h1S2mxLWnpBrZmdqBj2wiojNxvsVMLWTF9ZR6dHR9i
        se7FAfJX/DnLm99z8YQLbIMvU3IF+3Do7ARdRX8sukQVGq4FTT9nbZF5wk4ruHU6ejrzroAlBhvMA7NNNJwv91BbSR5/6I9sbxRr
        dfDb1CYtpLwESJrPIUJa5q83cJV9ScacHkQl4F2nkq3+uTG6iLA5Fc1SI0G/yNarvmoTFmKpfBqmx1L79O7JfB1/R19Sf580XkMt
        XuAJFXWlsgoHjmlDy0SWH40xzNpOsDHdONT7BZfM+xqyJ9OIvo5vJpgnN8TLbSd+XM62PLZegxnZtPX6nOhvb6zvPO9fCtiWeikI
        knHMlgFof6c8Bf/oxO8jw8ULlB7eGAvub7v3i6gQz5XlYCNinKBURGtc1FZX1Sa6EtL9enkW+rZXwcIBOg9Br+uMQl3ObCsJ7E41
        HyJ712awsNWjJw35ty7jjs2jAo9p7/7k4ZVCdwzEof/Wgqrd9PsbT1HD2gTNrg60mVA9i1eyUK6btC4bvSs/+FCGx9esbJtRHVP4
        T1bvXVxjlVdpdBGh+7m95neUrLx3pf0d9JScr3i864/1RgwpCqWs01Ky7+/guuHV9isz+2cztRDqLL8mtHi0qm3J3do1UQygGbiU
        Kt0BcB8NK1oyZBlnpexVcXHOZfPUF/TwQBDw79aHitNjFimLqcZuzMl4Llfo+FoJrOVUSsG/UbFiKoswxgLghejZn/ufDZyCV2bF
        UY/9U/GvMqO5TA0HcUKFKeOQ4+e4Q4Yqf5sG0uKMA62vxJgvYbDn486TBlxupwok7bhoY9X8+IQ0fZadJheNK2qRtY6Hp5YPFlry
        pHd7eTHLlXiZ/frhX19ojnF4XEL4XVx4gqVGqkP/25DpMRPr756LExkfDAGhbOvTWQTlg0K750/qv8afVBd1Idvkxk+KXb8idSdS
        SLoTGpwWODtSW4dtVrqmRYNnwF1mP3kmt175xWWwVo8QhqXmiuQrJiwKq1p36+5m8bg7WlfKHLu8/r4v5sq7AjUuiLyISicNzefb
        SG4GjpudBa+tiY8aB4uOB76q3fN90JBloAQHplIcKChmHZwXl3m0WkFOoa+SNZIZ6gStFfneaKWsD7zSkwIDAQABAoIEAG/vRLwx
        /k9N3NKpVExD0VpMNURhaDCXPOlwMoDveUgRIEFjgVqLRnBGwVNz7b//bVD6ncYWUqFoNLH2U+BOpBp3uj+Uo91u8FqyTbfo0+SS
        FEqAsXndhhoN+WFDuuCHQv8ThVDbBhGF8riH+VA2PmjbdTh6cA54wDyFSONjW849ZeLHAghaHVaAgL6ywPZZ/KP1sNxKhqaN7rJP
        pYxe3mRZBpa0qimPhJuEbY/lSWY5qPvoEDeOxfMVDZfyQ2azhkYdhwxWGGkeqWqjOlq5lic9iVwOGnEN3GfwAt8yZas4BnLyWVSt
        FQxT0Rn5ojaanPobnnY12H0NHwxcr2rO6xS2dZwh3VUFk4pw7Kc/q5BjzQuVnYB8vJYYegio03GgHPRlYA4X0oKuM7MjnSAeB/sH
        csEiGF8u/FhUrK2jyaz3798jgAhMxCQExL86SwOANb0VQprTTKV0cREOkU8U5xjLZq5e0Pnx0FkqELdS6r1Kusvhg0fw6Qm0VGuS
        okudGOLc+f64LB3jzkjWO9JW0YiU+waU2c2cgKx3JnlmZE3lkCOF8ePjAoau9dPPzAOVmLI/iSNC5H/myZbDYNrq6ecRGmxFDqPn
        pCqCNsmUU9HhwK/eGGI6I1nEfo4bNFVoGqkMlN1EIGrGRphhmdyj7wxOCxyQxZub6jVR1D6s/nApi4D+NOSpJIUCRgkFzdqp26bQ
        eqP3NZaQKQkVEgrlKzyWXP3ZaFJg7OB7XrEj2ni+XzoCR+htUM/hPbMWdx5DXURcfIxkC62EDW/vpx9h7myOIeJMBbK5midcc2/J
        2xX3G5ZLJ+u2Gllh45pdN5ANR5cV3u5CYNIrc9ptUdq7j33typ+rmF07ANflz4sGz30gk9/s9iZUM8+nQteUSi4BGa3Lz9Qape2Z
        QKTd65mdRmPPm9nHuCrsXtjg3YIzJieK1T8yTc10FD0zIkKO/6TBqY82oYZEkE4Gp2QCbCSDhMQQsiIaIBSv+oGLHtSSZKlvXb4Y
        Yy/D+MtFZQJ9xMOC07rq8lLLXk6ZXRfF+TwPM7kXvPntPcUmmv9pOOW6n9igfc+/kzFXGIv5f/V+9N7WG2hEpmJgtu59FwRWXexi
        0cBIMJ2tMiC67ncrx0VUc+q9YffxoHy2qN4ETgu1IJbWqgy5qY/wZhLdTNtan0HF+H3ZtZZ83/ylC7dert/gblfS+hcpOY750B+S
        yxwp0aDW3/nTIiqK0CTFuKZGxwPf3zfEnC11j6Afh94PdOiAhpV4gmP6L1KJVhPnWaM2FODG+kke6Ny0rOW3tVmFDQo4x/hL/h7M
        7QQLPQIcpI1FKsmWziNeKj0KfN4BP2VQdHYQ4kLgoR6LosU45bfQu3JlTzUCggIBAPF58HyB3IAB4TsAK9CbPMWci5iTPNU8F2JU
        9fsDmVldL8JoJCvMR8mK0smqRBIPaVOg00JiVZcvx3i3eBix5/qo9GbHhWvLTuq8sZsHjt5gD0aMFmCy/1LIMGdcSbVeEvUL9ZGF
        watNRzqYqz8zPV0xmntR2thL3G9Hjrsi5V+x7sEVNtXJjVH/lbrJKhe+ATW9Y1jtkJGE73KY4NIhaMA0fmOSpSG380BVLASgCD1N
        HebbGDaYVk2qi155/hniOh2PrW8yEUBjfVfC/KlGrfvWSrOn1rkahz5CS69CdTMDSiHAEcDrlZGMtm0hxabFAUL6mQsr1kCuJGSV
        /P4SmTH6zKSQ00r4Sl30ZMrCKxt4fdcc3NZD7OZ6tmVwAmgTt83CsR99G0EdN3CFXFZT+/IZVQ5sHxNFgsUj74DSg2gwPxfX+y7Y
        w9oMOvukSuQUItfRXg3l/uQnyWpwH21vYWfuy7yxAvWXHFPCHSrbAXGpUj9RWu0ffPbaPb82qPJbT4EGDXlqyOVsoyh46z4JPSBI
        zzO9lVnmrd2z2g1jl8d4DTC774iUjmwCZBXhCMV3k+jyhkZqyXtXqcs9lf+/E61G4oFeB3J0xEbbJvGWlNpss2ZlETG6GqzbCn95
        nmGgGrYLQx9SgiO5yndcXQyHT/kJSjpNQqDJ8Id8AqyIycclAoICAQDvgTc7sJ0VFbjfJ/P1laihFrEs9Wd3+tNLhq5OAbSDyxv2
        ug1s57VGykDR21ALXSwG7igIjZ21FiQaDFjm87vNc0PJzuiaxPmUoMrM1Bn/KQdKa4XaLK35Bfyd+i25NsfNqxyh167KhTMfFoQ2
        sTQFCcov5HiRIbPmFbz5f/kK+CiHZQppRizgFG37/38Egc3FkUgX5xRLs2+0UmI13V6iv0zj2s9yQdoNhssMCCUFZ8erS2bJS/tP
        RR+VK4UkkjCtvCKjHop2B/64xm+662ydaxwOP45OowuhYEhSed6zlCoWUrdNOrM7DgAfBVJSjuc2PrX7EpncaHJOppY1HHu8Quwk
        bbjAFVBrUDTcqmEoauYt3YR18tv61LKmhsz2Y6xlFABrvp583RATw3q5E4Veqi3Fj8CItauVdGIMHLC2ycNnYQh4URilI8JJfoij
        8HZyo4wQYGXBrhd9DhQUXM3AsymuizzIqxSkeJmL9TTeBwD2rI1HhcGwwk6xsh8bRIAcAi1eFHLVp0yS1xgL5VOaavU1AoknLDnB
        HGV7cu/TE+Hq5ZGk1mz4CnFOFHOGCOGlwgTir9DyjXAcBe/EgUDp4f6xhx2EqEgTLejAPmFE29vUUBUOcsQd6BBrsepkZa9biAnb
        ULoH2wDMHUxOkjaBVIdSl7/vxkAZ5NcJi+cBVwKCAgA4HbxTUuJpJQawbWPBQLIowi52sJDMhQByK4hWYwm6CLvWk9kEDJ8KKSa/
        EsBq6gXyF0fA/5UgY0wZs5lHM+DTEXxqfid1W3PlfSBRBLqg1vX10QxKQI6xMDB/dKT0bv480CCrRsgxBO5uoZf6QfAavjJGQkl3
        RnndqmVy+7MOQA1Z9ZIesI4U5i5nj+QmTFN/p5l0yxBzoM78dKaaboUnVYuhnCyf3126L5DhKkd/53HxeizwUwqLVfy5YeQ5I6eZ
        ww/s7Vew/O3d/UQ2GmTIR45onbJ6pb2ULFfmTK1rw3Hw0e/OQ3Eot+iVB+okzVdzt0TlobRSp6VxcqGucagEQ2JXRAi2PWka2Har
        39+grKmh2eVALdzZ2t6USClnAl4OhRYgWTSCN0Xw8iz5Kt877cMkbN/z3I19PtKjv0gmaD/hTKHkyx8IhxsV66IzyrImMVOIK1DG
        uLBH+fJzvhSG0KmsGf60D//XPx8EHI0DWvPwHvngbRbfTuxWiV9Nowag10U+WCCDoHFyMFeKvR7lZ8YvIfmZQNBa2zbrMZ/ODQoT
        rzkFJnDKjOuxYfBl41oOIn4t0xcrgL3Gq3M2UbNC61wr8CwO3y/Vv4wXTIUfFW/Dde0+/x6/2M9hvGOgEFLkx0079DKmFsEEaAR/
        qtpc51nGnrnDH+qzsY/1hHxPuQKCAgABZlDrUWHpoKHe8/3R/pjosBhC+gArzFR1yYi1Pf9PEd3M+FNhwozlqALu9wgluNqsA7JK
        MoGscD+vw0i1uNDtJ3JK+KGVXfdTbgkhX0/zlMrNHYm/t6kgnm9WgQLJZU+PnSNisr77wgGFef010J1MNj1vQDeQKZFCk/fxwVS0
        QrUB7Y49BUL34EawRVL5tMR+FhZExX3x30+UzzJxvCR0cQfDASFbOpVKpPIE1PtaZ7vb/WnRXVdPpEjF92Yky5HrQgE10NTgUbWk
        YMyAXCXbWaflUWvEe+FyhPyHNt0dUY1ZagxWMDSh8LgBdmd/wgQJ5h3sJLSvfBDG8uRH1S3H8OAualG9FaLNrb9RVtGQiedkdznx
        8oRkl9+fZ4RFIFn+kTpbZtbIRgZ1Bxxtfna2EeqIkAmBAwbIrdBw364Ms2sn7II/KcIqHOZixZGI27vleZ0070tI8XqDqZRmdhBh
        wupIcdneFlndiDLlhX5UmdfgmSuOMnLqVIhfM3pJD4JsJ3saZKYzJ3IkHYuvbhyp91wNfkFM8E46Ga9iJE7QffpBBCxwuSwT2wPE
        gAwYyW6AKH0c0gg3kqoID+TR0iuN8lspsG90ugMJ0afdj7/DxkEnoXwuBG+u+Q83geerxIhc0ZO1K2ia6SW9C6LJhsM4yESuL+LY
        ROFVBWhYTu//qwKCAgEAxhmp+bewmVv1aHIGX05wqbYcmyS+4SNSI7MYhrlZsceZmDcUEG0ajWUzViM6ophHsQ8UWpjCDHczy0X4
        dtvlvsvYFAvZDB5BMgB2Ky7IVwTIndrvilI8sTwmvL3vRiVqarNCyM9s4cfUxcG65WlVy8PJeKYugnhR7EU/Gw+seqkmYaKXEhy0
        VIqlYDrH/6kiRnFiaIWANdd4KNrzM0mAw6W8T3mqzT4SosWTvCyRN71oph7tZ/0+E+OSLd6lwktyuF28RJxrmDUDpmIc/Nymx2F+
        5K7eix4PXFaXdLSGYmEaH01fa6d+6vtV3Ns7tI+tbkDDitqfYdxqmwT1cSL6kg+6AOO5QADZCHzmlJs+anLMIm3cT0kaKU3QO+L9
        2FH9u95YGMpbEjvIjfolgAbFHxtvX29AfDXvIejPkhG5z/jZ6RegOynuZ2Q/ETjE+20js1+zSGjXkxf4+K63H2VmY1TuA1izYPKT
        zvnVu+1adcORViu7wUsGNVLM//DgnWmPQSUkIHqx+TyaQf/s/XMQWBLAVvrxr5GLMxd6gZuZro9/mbgdjXPdvX3u/gQNOCemR5tY
        lUygu7xT10oUAnVoFbi81YiLnL757ix+9a9Bk21s8pJP3sIO+uZ/QbbVKVOQJsSLerf/AqGCfOPEvtPw6hQgKReCFN8Zk10c+ypB
        YPY=
        """)

    /// An EC key on the curve P-256.
    public static let ec256 = key(
        """
        MHcCAQEEINGEZI1BfKw32OobduTbsP5Z3HVJnRm9JM8X+eOZRk8qoAoGCCqGSM49AwEHoUQDQgAE/6Okm9quZUQNGpf6dp204O2m
        VQmieFIUNaNCrfdctXV37DEjTMAFJfCmiiLXq0At5zZ5wKHAJCGf3eHuF0HO6w==
        """)

    /// An EC key on the curve P-384.
    public static let ec384 = key(
        """
        MIGkAgEBBDCq5Oqn1l/YP4Pjw6nQCMPVXDbH8DO85EgZvj1S1NS04Vqwv60s+996vtzUIkwVglqgBwYFK4EEACKhZANiAAQx02cx
        tlYms9WHOGeP0vI3uTfNVeJk1cVQ543UgDjapFXs6jZKR+mUoBd2UI7PwKVLqTXcIkJov21F39+Ik7saup2y0s0xGhPxydp8RxmK
        lM3a4m5LoRdndVs3RIxaCzA=
        """)

    /// Another key on the curve P-256.
    public static let ec256Other = key(
        """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgllmiAzIyMgZLRslxONUSf2LzT5IvxFEcJyC8r4A/
        r9mhRANCAATcyDAQ3i51mFjSLibPuohN9kUpYzfumQfTfIY93zpFuI5z04yXJ9/8WlODgh1tEBnNgUSAVJQB292N
        OKWIvT8Z
        """)

    /// Other keys on the curve P-384.
    public static let ec384Other = key(
        """
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDClMn1cN2GGqL2QDrXg8Z2umxjYmhFYfdHTXU9l2nLP
        ibUOtZo12SVHyYJMeZKHK1mhZANiAARfw5INkZflWDprJR9ZUNuVwMfwCub4MYeAm10YndrVtYsnF+QqNq2/s1zL
        nqe6tyKzDMsicsLHP4LFI3YKmCWFn1xSdmR7pKrU4zhsj2w6PjitXD5TblsC17zd6LpN4K8=
        """)
    public static let ec384Third = key(
        """
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBvtcWyUxYXsghMXQGDf8m3ZFEbOjTQC+We4KWOCLuJ
        S0ZYHGhbRfca078B1EeoVEOhZANiAATgIp/fu0Ui0lqhnifYgNl5Z1cRI/gqck+JOkCN8acgBL5ZFteOUPFdgpWI
        wXUoubtFv3QgcrlXWhKE1AATQug4JeXr7sAOh6+WjLv0O0wD6Vxv+kSsM9ISW89Wfwmx+/4=
        """)
}
