const MAIN = 'e2e/main-job.test.ts › $who'
const JOB = `${MAIN} › finds a document, puts it into the cart, logs in, pays, reads and downloads it`
const SHORT = `${MAIN} › cannot pay with too little in the wallet, and keeps the cart`

/** What section 2 says of paying and of the chat. */
export const PURCHASE_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  checkout: {
    'Logged out, a log-in prompt replaces the payment': [JOB],
    'The wallet panel warns of a short balance': [SHORT],
    'A dialog confirms items and total': [JOB],
    'Success goes to my documents': [JOB],
    'The pay button is disabled without a method, and while the balance is short': [
      JOB,
      SHORT,
      'stores/purchase.test.ts › the pay button › needs a method, a balance that is enough, and something in the cart',
    ],
  },
}
