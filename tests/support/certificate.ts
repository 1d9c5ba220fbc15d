import { sign, X509Certificate } from 'node:crypto'

/** A certificate for 127.0.0.1 that no browser trusts, with its key; valid until 2120. */
export const CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6Il10TqbGOieigQg
cCJuV9F6xF9RmprOlbfoLtk66X6hRANCAARwF2E0Q6JatageodGhtLfoPwyYzxvw
eKquC1L3YNrCXg9f2JK0Vsxb7v0F04Hy3tpD3BFzaRnPsl8qL/gY65nU
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBWzCCAQKgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w
LjEwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHAXYTRDolq1qB6h
0aG0t+g/DJjPG/B4qq4LUvdg2sJeD1/YkrRWzFvu/QXTgfLe2kPcEXNpGc+yXyov
+BjrmdSjQzBBMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAdBgNV
HQ4EFgQUZCKG4+ChXjSC7bGFbbUa91EsFwowCgYIKoZIzj0EAwIDRwAwRAIge+cx
+tpOsIEeZaTj9uY80//rQsb8u5LrZJwoxXNnojYCIFLprkDT921wwJpVdPXPn9xB
0kJaIO6toJV5du1gtZBn
-----END CERTIFICATE-----`,
}

/** The same certificate, which ends at another time, to the second. */
export function certificateUntil(end: Date): typeof CERTIFICATE {
  const { raw } = new X509Certificate(CERTIFICATE.cert)
  // Its two headers are of 4 bytes each; then come the name of the algorithm and the signature.
  const signedEnd = 8 + raw.readUInt16BE(6)
  const time = `${end.toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  const signed = Buffer.from(
    raw.subarray(4, signedEnd).toString('latin1').replace('21200101000000Z', time),
    'latin1',
  )
  const signature = sign('SHA256', signed, CERTIFICATE.key)
  const body = Buffer.concat([
    signed,
    raw.subarray(signedEnd, signedEnd + 2 + (raw[signedEnd + 1] ?? 0)),
    Buffer.from([0x03, signature.length + 1, 0]),
    signature,
  ])
  const header = Buffer.from([0x30, 0x82, body.length >> 8, body.length & 0xff])
  const text = Buffer.concat([header, body]).toString('base64')
  return {
    ...CERTIFICATE,
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`,
  }
}
