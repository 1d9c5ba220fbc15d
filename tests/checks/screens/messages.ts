const MESSAGES = 'e2e/messages.test.ts › what the screens say of a failure $who'
const READING = `${MESSAGES} › the preview and the downloads`
const LIBRARY =
  'e2e/shopping.test.ts › shopping $who › my documents says what went wrong and tries again'
const RATINGS = 'e2e/ratings.test.ts › ratings $who'
const FAILURES = `${RATINGS} › every other failure has its words`
const PASSWORD = 'e2e/password.test.ts › a forgotten password $who'
const FORGOT = `${PASSWORD} › the form says what is wrong, and what the server answers`
const RESET = `${PASSWORD} › the link without its token, and passwords that cannot be`
const JOB = `${PASSWORD} › is asked for, set anew by the link of the mail, and opens the account`
const MODAL = 'e2e/purchase-modal.test.ts › buying one document $who'
const HOME =
  'e2e/home-sections.test.ts › a failure of %s is told, the rest stays, and a retry loads all'
const STATES = 'e2e/states.test.ts › what the states of a screen say $who'
const CHECKOUT = `${STATES} › the checkout: back to home, a payment on its way, and what fails at each step`
const CHARGING = `${STATES} › charging: the bank’s rule, a top-up that cannot be started, a session that has ended`
const SHORT = `${STATES} › the purchase modal: what is short, and the bank’s minimum`
const GONE = `${STATES} › a purchase of what is gone, and by who is no longer logged in`
const ACCOUNT =
  'e2e/shopping.test.ts › shopping $who › an account is opened, with an error beside each wrong field'

/** A message of section 8 as English says it, its key, and the tests that read it in Arabic. */
export interface Message {
  readonly says: string
  readonly key: string
  readonly proof: readonly string[]
}

const message = (key: string, says: string, ...proof: string[]): Message => ({ key, says, proof })

/** Every message of section 8 that a screen can show. */
export const MESSAGES_OF_SCREENS: readonly Message[] = [
  message(
    'library:reading.problems.preview_failed',
    'Failed to preview document. Please try again.',
    READING,
  ),
  message(
    'library:reading.problems.preview_not_loaded',
    'Failed to load document preview.',
    READING,
  ),
  message('library:reading.problems.preview_empty', 'Document is empty or not available.', READING),
  message(
    'library:reading.problems.download_file_missing',
    'Server error occurred. The file might be missing or inaccessible on the server.',
    READING,
  ),
  message(
    'library:reading.problems.download_failed',
    'Failed to download document. Please try again.',
    READING,
  ),
  message(
    'library:reading.problems.download_forbidden',
    'You do not have permission to download this document.',
    LIBRARY,
  ),
  message('library:reading.problems.download_not_found', 'Document not found.', LIBRARY),
  message(
    'library:reading.problems.download_server_error',
    'Server error. Please try again later.',
    LIBRARY,
  ),
  message('library:page.notLoggedIn', 'User not logged in.', READING),
  message(
    'errors:codes.invalid_token',
    'Authentication failed. Please log in again.',
    'e2e/wishlist.test.ts › the wishlist $who › says what went wrong and tries again; a session that ended asks to log in again',
  ),
  message(
    'ratings:form.messages.logInToRateDocument',
    'Please log in to rate the document',
    `${RATINGS} › logged out, a star of a %s asks to log in and goes there`,
  ),
  message(
    'ratings:form.messages.logInToRateTeacher',
    'Please log in to rate the teacher',
    `${RATINGS} › logged out, a star of a %s asks to log in and goes there`,
  ),
  message('ratings:form.messages.logInToSubmit', 'Please log in to submit a rating.', FAILURES),
  message('ratings:form.messages.documentNotFound', 'Document not found.', FAILURES),
  message(
    'ratings:form.messages.noStars',
    'Please select a star rating.',
    `${RATINGS} › an owner rates by pointer, with words: the average follows, and it can be changed`,
  ),
  message(
    'ratings:form.messages.success',
    'Rating submitted successfully!',
    `${RATINGS} › an owner rates by pointer, with words: the average follows, and it can be changed`,
  ),
  message('ratings:form.messages.failed', 'Failed to submit rating. Please try again.', FAILURES),
  message(
    'account:login.errors.invalidToken',
    'Invalid token received',
    `${MESSAGES} › the log-in`,
  ),
  message(
    'account:login.errors.noToken',
    'Login failed. No token returned',
    `${MESSAGES} › the log-in`,
  ),
  message('account:login.errors.failed', 'Login failed', `${MESSAGES} › the log-in`),
  message(
    'account:login.denied.text',
    'You do not have parent credentials to access this portal',
    'e2e/main-job.test.ts › $who › who is a teacher is refused with the modal, and no token is kept',
  ),
  message(
    'account:register.errors.failed',
    'Registration failed.',
    `${MESSAGES} › the registration`,
  ),
  message('account:register.errors.mismatch', 'Passwords do not match.', ACCOUNT),
  message('password:forgot.errors.required', 'Email is required.', FORGOT),
  message('password:forgot.errors.email', 'Invalid email format.', FORGOT),
  message(
    'password:forgot.sent',
    'If your email is registered, you will receive a password reset link.',
    JOB,
    FORGOT,
  ),
  message(
    'password:forgot.errors.failed',
    'Error sending password reset email. Please try again.',
    FORGOT,
  ),
  message('password:reset.errors.required', 'New password is required.', RESET),
  message('password:reset.errors.minLength', 'New password must be at least 6 characters.', RESET),
  message('password:reset.errors.confirmRequired', 'Confirm password is required.', RESET),
  message('password:reset.errors.mismatch', 'Passwords do not match.', RESET),
  message('password:reset.errors.noToken', 'Password reset token is missing.', RESET),
  message(
    'password:reset.errors.failed',
    'Error resetting password. The token might be invalid or expired.',
    RESET,
    JOB,
  ),
  message('password:reset.done', 'Your password has been reset successfully.', JOB),
  message('home:errors.featured', 'Failed to load featured content', HOME),
  message('home:errors.authors', 'Failed to load authors', HOME),
  message('home:errors.featuredBooks', 'Failed to load featured books', HOME),
  message('home:errors.bestsellers', 'Failed to load bestsellers', HOME),
  message('home:errors.authorBooks', 'Failed to load author books', HOME),
  message(
    'library:page.partlyPurchased',
    'Your purchase was partially successful. The following documents were already owned: {{titles}}.',
    'e2e/main-job.test.ts › $who › is charged only for what is new when the cart holds an owned document',
  ),
  message(
    'checkout:payment.short',
    'wallet balance insufficient, please charge first',
    'e2e/main-job.test.ts › $who › cannot pay with too little in the wallet, and keeps the cart',
  ),
  message(
    'purchase:modal.topUpNeeded',
    'You need to top up at least 10 TND to continue',
    `${MODAL} › small, and not enough: a warning, the top-up of it, or more shopping`,
  ),
  message(
    'purchase:modal.problem.insufficient',
    'wallet balance insufficient, please charge first',
    `${MODAL} › a wallet that was emptied meanwhile says so`,
  ),
  message(
    'purchase:modal.problem.payment_failed',
    'payment failed, try again',
    `${MODAL} › a direct payment that cannot be started says so`,
  ),
  message(
    'checkout:result.unexpected',
    'An unexpected error occurred during your purchase.',
    CHECKOUT,
  ),
  message('checkout:result.failed', 'Payment failed: {{reason}}', CHECKOUT),
  message('checkout:result.steps.order', 'The order could not be created.', CHECKOUT),
  message('checkout:result.steps.order_id', "The order's number could not be had.", CHECKOUT),
  message('checkout:result.steps.payment_url', "The payment's address could not be had.", CHECKOUT),
  message('checkout:result.steps.start', 'The payment could not be started.', CHECKOUT),
  message('charging:page.failed', 'The top-up could not be started.', CHARGING),
  message('charging:page.notLoggedIn', 'User not authenticated.', CHARGING),
  message('charging:page.info.bank', 'Minimum top-up is 10 TND due to bank rules', CHARGING),
  message(
    'charging:page.amount.raised',
    'the minimum charge is 10 TND',
    'e2e/charging.test.ts › charging $who › raises what is below the minimum, and never charges what was not seen',
  ),
  message('purchase:modal.minimum', 'Minimum top-up is 10 TND due to bank rules', SHORT),
  message('purchase:modal.insufficient', 'Your current balance is insufficient', SHORT),
  message('purchase:modal.problem.invalid_product', 'Invalid product.', GONE),
  message('purchase:modal.problem.not_logged_in', 'Please log in before paying.', GONE),
]
