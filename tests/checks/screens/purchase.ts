const MAIN = 'e2e/main-job.test.ts › $who'
const JOB = `${MAIN} › finds a document, puts it into the cart, logs in, pays, reads and downloads it`
const SHORT = `${MAIN} › cannot pay with too little in the wallet, and keeps the cart`

const PAYING = 'e2e/payments.test.ts › paying $who'
const CHARGING = 'e2e/charging.test.ts › charging $who'
const MODAL = 'e2e/purchase-modal.test.ts › buying one document $who'
const STATES = 'e2e/states.test.ts › what the states of a screen say $who'
const CHECKOUT = `${STATES} › the checkout: back to home, a payment on its way, and what fails at each step`
const TOP_UP = `${CHARGING} › tops up 20 dinars at the gateway and comes back to the page that asked for it`

/** What section 2 says of paying. */
export const PURCHASE_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  checkout: {
    'Items have title, number, original and final price, percentage, a remove button, and a total':
      [
        'e2e/catalogue-screens.test.ts › the catalogue $who › the cart lists title, number, both prices and the percentage, and takes one out',
      ],
    'Logged out, a log-in prompt replaces the payment': [JOB],
    'Methods are the wallet, a bank transfer and D17': [
      JOB,
      `${PAYING} › by bank transfer: waits in my documents, and appears when the operator confirms it`,
      `${PAYING} › by D17, refused by the operator: said kindly, with a way to order again`,
      `${PAYING} › which buttons work: none chosen, the wallet short, the wallet enough`,
    ],
    'Bank transfer is offered above 10 dinars only, D17 always': [
      'rules/purchase.test.ts › payment methods › bank transfer is offered above 10 dinars, D17 always, card never at the checkout',
    ],
    'The wallet panel warns of a short balance': [SHORT],
    'A dialog confirms items, total and method; its button turns while it pays': [JOB, CHECKOUT],
    'An alert says what came of it': [JOB, CHECKOUT],
    'A short balance offers a top-up that comes back to the checkout': [
      `${PAYING} › which buttons work: none chosen, the wallet short, the wallet enough`,
    ],
    'Another method goes to the page where it is paid': [
      `${PAYING} › by card: paid at the gateway, told on the way back, with a receipt`,
    ],
    'A back action goes to home': [CHECKOUT],
    'Success goes to my documents': [JOB],
    'The pay button is disabled without a method, and while the balance is short': [
      JOB,
      SHORT,
      'stores/purchase.test.ts › the pay button › needs a method, a balance that is enough, and something in the cart',
    ],
  },
  charging: {
    'It shows the balance, and 0 where it cannot be loaded': [
      `${CHARGING} › a balance that does not come is 0, and comes when asked for again`,
    ],
    'Preset amounts can be chosen': [
      TOP_UP,
      'e2e/charging.test.ts › by keyboard alone › an amount is chosen and charged (%s)',
    ],
    'The smallest preset that covers the price is proposed': [
      TOP_UP,
      'stores/top-up.test.ts › the amount › for a price of %s with %s in the wallet',
    ],
    'A custom amount is raised to the minimum': [
      `${CHARGING} › raises what is below the minimum, and never charges what was not seen`,
    ],
    'A method is chosen: the gateway or D17': [
      TOP_UP,
      'e2e/charging.test.ts › D17 leads to the page that says where to send the amount',
    ],
    'A summary tells amount and balance after': [TOP_UP],
    'An info card tells of the bank’s rule': [
      `${STATES} › charging: the bank’s rule, a top-up that cannot be started, a session that has ended`,
    ],
    'The charge button is busy while it charges': [
      `${CHARGING} › while the answer is slow the button turns, and one click is one top-up`,
    ],
    'It goes back to the page that asked, to the shop by default': [
      TOP_UP,
      `${CHARGING} › comes back to the shop and not to %s`,
    ],
  },
  'purchase modals': {
    'Small and enough: the wallet, with the balance after': [
      `${MODAL} › small, and enough in the wallet: balance after, paid once, in my documents`,
    ],
    'Small and not enough: a warning, a top-up, or more shopping': [
      `${MODAL} › small, and not enough: a warning, the top-up of it, or more shopping`,
    ],
    'Large and enough: the wallet': [
      `${MODAL} › large, and enough in the wallet: only the wallet is offered`,
    ],
    'Large and not enough: directly by card, or a top-up': [
      `${MODAL} › large, and not enough: paid by card at the gateway, without the wallet`,
    ],
    'The backdrop, the close button and each action close it': [
      `${MODAL} › the close button, Escape and the backdrop all close it, and give the focus back`,
    ],
    'It asks for the balance when it opens, and follows it': [
      `${MODAL} › follows the balance: what was put in elsewhere counts at once`,
    ],
    'The anonymous modal has log-in, continue and close': [
      `${MODAL} › logged out: the prompt, whose Continue puts it into the cart`,
      'e2e/shopping.test.ts › shopping $who › the anonymous prompt leads to the log-in and back, or closes and adds nothing',
    ],
    'A top-up from the details comes back to them with the price': [
      `${MODAL} › small, and not enough: a warning, the top-up of it, or more shopping`,
    ],
  },
}
