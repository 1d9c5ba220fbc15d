/** The gateway that the shop is configured with (decisions §2). */
export function paymentProvider(): 'sandbox' | 'konnect' {
  const given = import.meta.env.SSR ? process.env.PAYMENT_PROVIDER : undefined
  return given === 'konnect' ? 'konnect' : 'sandbox'
}
