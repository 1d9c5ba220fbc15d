const CATALOGUE = 'e2e/catalogue-screens.test.ts › the catalogue $who'
const LINKS = `${CATALOGUE} › the log-in has five links above it, and ways to an account and to a new password`
const SHELF = `${CATALOGUE} › my documents are a table of everything that was bought, filtered three ways`
const MAIN = 'e2e/main-job.test.ts › $who'
const JOB = `${MAIN} › finds a document, puts it into the cart, logs in, pays, reads and downloads it`
const PASSWORD = 'e2e/password.test.ts › a forgotten password $who'
const FORGOT = `${PASSWORD} › the form says what is wrong, and what the server answers`
const RESET = `${PASSWORD} › the link without its token, and passwords that cannot be`
const RETRY =
  'e2e/shopping.test.ts › shopping $who › my documents says what went wrong and tries again'
const ACCOUNT =
  'e2e/shopping.test.ts › shopping $who › an account is opened, with an error beside each wrong field'

/** What section 2 says of the account pages and of my documents. */
export const ACCOUNT_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  login: {
    'E-mail and password': [JOB],
    'Links to the registration and to a forgotten password': [LINKS],
    'Five links on top': [
      LINKS,
      'e2e/pages.test.ts › links of the log-in page that are no routes are redirected',
      'e2e/content.test.ts › /about-us is redirected, and only the contact page may frame another site',
    ],
    'Whoever is no parent sees the access-denied modal with a button to the office': [
      `${MAIN} › who is a teacher is refused with the modal, and no token is kept`,
    ],
  },
  register: {
    'An optional session of the address is used': [
      'stores/account.test.ts › registering › the session of the address is used',
    ],
    'Eight fields, each required, with an error beside it': [ACCOUNT],
    'SUCCESS leads to the log-in': [ACCOUNT],
    'A link to the log-in': [LINKS],
  },
  'forgotten password': {
    'An e-mail field and a button that is disabled while invalid': [FORGOT],
    'A token, two fields and a button': [
      `${PASSWORD} › is asked for, set anew by the link of the mail, and opens the account`,
      RESET,
    ],
  },
  'my documents': {
    'Filters by subject, level and type': [
      SHELF,
      'stores/reading.test.ts › my documents › loads, filters by subject, level and type, and offers the subjects that there are',
    ],
    'A button explores the shop': [SHELF],
    'The table has title, stars, category, subject, level, teacher, price paid and date': [SHELF],
    'It is loading, failed with a retry, or empty': [
      RETRY,
      'e2e/accessibility.test.ts › $who › $name: read in order; nothing for axe, light and dark; no sideways scroll at 320 px and 200 %',
    ],
    'The preview opens a modal with a frame': [JOB],
    'A download hands over the file': [JOB],
  },
}
