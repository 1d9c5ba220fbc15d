const FRAME = 'e2e/frame.test.ts › the frame of the pages $who'
const SHOPPING = 'e2e/shopping.test.ts › shopping $who'
const SEARCH = 'e2e/search.test.ts › the search box $who'
const PAGES =
  'e2e/pages.test.ts › the pages in %s › %s: language, direction, texts, no sideways scroll, no policy report'
const BOX =
  'e2e/frame.test.ts › the cart’s box says that it is empty, and offers the checkout once it is not'
const SUGGESTIONS = 'rules/suggestions.test.ts › suggest'

/** What section 2 says of addresses, of what surrounds every page, and of the search box. */
export const FRAME_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  routes: {
    'Every page has its address, in three languages': [PAGES],
    '/home is the home page': [
      'e2e/pages.test.ts › links of the log-in page that are no routes are redirected',
    ],
    '/shop takes a search and a level': [
      PAGES,
      'components/shop-filters.test.ts › the address of the shop › says every filter of the backend',
    ],
    '/reset-password takes a token': [
      'e2e/password.test.ts › a forgotten password $who › is asked for, set anew by the link of the mail, and opens the account',
    ],
    '/error says so, offers retry and home': [
      'e2e/password.test.ts › a forgotten password $who › the error page offers the same page again, and home',
    ],
    'Any other path shows the 404 page with its message and a button home': [
      `${FRAME} › any other path says that there is no such page and leads home`,
    ],
    'Header, top bar and footer are hidden on the four account routes': [
      `${FRAME} › %s has no header, no top bar and no footer`,
    ],
  },
  'top bar and footer': {
    'Logged out, the top bar has followers, a telephone number, the languages, an invitation to sell and a log-in':
      [`${FRAME} › logged out: logo, menu, top bar and a log-in`],
    'Logged in there is no top bar': [
      `${FRAME} › logged in: one more item, the balance, wishes and log-out in place of the top bar`,
    ],
    'The footer credits a company': [`${FRAME} › logged out: logo, menu, top bar and a log-in`],
  },
  header: {
    'A logo leads home': [`${FRAME} › logged out: logo, menu, top bar and a log-in`],
    'The menu has Home, Shop, Contact and Teachers': [
      `${FRAME} › logged out: logo, menu, top bar and a log-in`,
    ],
    'Logged in, the menu has one more item': [
      `${FRAME} › logged in: one more item, the balance, wishes and log-out in place of the top bar`,
    ],
    'The languages are Arabic (the default), French and English': [
      `${FRAME} › the language picker offers three, the page’s own first, and closes by a press and by scrolling`,
      PAGES,
    ],
    'The picker really works, and keeps the query': [
      'e2e/pages.test.ts › the language picker goes to the same page, keeps the query and works',
    ],
    'The language dropdown closes on a click outside and on scroll': [
      `${FRAME} › the language picker offers three, the page’s own first, and closes by a press and by scrolling`,
    ],
    'Logged in, a badge shows the balance': [
      `${FRAME} › logged in: one more item, the balance, wishes and log-out in place of the top bar`,
    ],
    'The badge leads to the top-up': [
      'e2e/charging.test.ts › the wallet’s ticket in the header leads to the page',
    ],
    'Logged in, there is a way to the chat': [
      `${FRAME} › logged in: one more item, the balance, wishes and log-out in place of the top bar`,
    ],
    'Log-out goes home': [
      `${SHOPPING} › logging out forgets everything and goes home, in every tab`,
    ],
    'Logged in, there is a way to the wishlist': [
      `${FRAME} › logged in: one more item, the balance, wishes and log-out in place of the top bar`,
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
    ],
    'Logged out, there is a log-in': [`${FRAME} › logged out: logo, menu, top bar and a log-in`],
    'The cart’s box has the last 3 items with title and price': [
      'e2e/shopping.test.ts › the header’s box opens under a mouse and shows the last three items',
    ],
    'The cart’s box says that the cart is empty': [BOX],
    'The cart’s box leads to the cart': [
      'e2e/shopping.test.ts › the header’s box opens under a mouse and shows the last three items',
    ],
    'A checkout button shows when the cart has items': [BOX],
    'A link to my documents appears for who owns one': [
      'e2e/frame.test.ts › the shortcut to one’s documents is there for who owns one',
    ],
    'A loading overlay covers every page': [
      'e2e/home-sections.test.ts › the loading overlay covers the page while it waits for the next',
      'e2e/home-sections.test.ts › work that is quick shows no overlay',
    ],
    'A toast tells what was added, for 5 seconds': [
      `${SHOPPING} › a document is added once, the toast says so and goes by itself after 5 seconds`,
      'stores/cart.test.ts › logged out › the notice tells title and final price for 5 seconds, the wallet is introduced once',
    ],
  },
  search: {
    'The text is trimmed, and blank text suggests nothing': [
      'stores/suggestions.test.ts › blank text asks for nothing and shows nothing, at once',
      `${SUGGESTIONS} › suggests nothing for %j`,
    ],
    'It asks 300 ms after the last letter': [
      'stores/suggestions.test.ts › asks 300 ms after the last letter, for the trimmed text',
    ],
    'It asks for distinct values only': [
      'stores/suggestions.test.ts › never asks twice in a row for the same text',
      `${SEARCH} › asks once for a text that stands still, and never twice for the same`,
    ],
    'The 13 pages are suggested by their titles': [
      'e2e/search.test.ts › only pages that exist are suggested',
    ],
    'Documents are suggested by a part of their title, whatever the case': [
      `${SEARCH} › a document is suggested with its kind and chosen by pointer`,
      'server/catalogue.test.ts › search by words › anywhere, «%s» finds «%s» in the middle of a word',
    ],
    'At most 5, pages first': [
      `${SUGGESTIONS} › puts pages first and stops at 5`,
      `${SEARCH} › pages come first, five at most, and arrows and Enter choose`,
    ],
    'A suggestion says whether it is a page or a document': [
      `${SEARCH} › a document is suggested with its kind and chosen by pointer`,
      `${SEARCH} › pages come first, five at most, and arrows and Enter choose`,
    ],
    'Choosing a page goes to it': [
      `${SEARCH} › pages come first, five at most, and arrows and Enter choose`,
    ],
    'Choosing a document goes to its details': [
      `${SEARCH} › a document is suggested with its kind and chosen by pointer`,
    ],
    'Enter goes to the page of exactly that title, else to the shop with the search': [
      `${SEARCH} › Enter goes to the page of exactly that title in any language, else to the shop`,
    ],
    'Suggestions close on a click outside and on scroll': [
      `${SEARCH} › closes by Escape, a press elsewhere and scrolling, and keeps the text`,
    ],
  },
}
