const HOME = 'e2e/home.test.ts › home $who'
const CATALOGUE = 'e2e/catalogue-screens.test.ts › the catalogue $who'
const SECTIONS = `${HOME} › its sections, in order, and where they lead`
const BESTSELLERS = `${HOME} › at most three bestsellers, each with cover, title, author, rating and a button`
const MODALS = `${HOME} › adding asks who is logged out; the wallet modal then only closes`
const MEMBER = `${HOME} › who is logged in sees neither the browse button nor the panel to join`
const CARD = `${CATALOGUE} › a card has a cover, the saved percentage, a heart, rating, description, prices and buttons`
const DETAILS = `${CATALOGUE} › the details show every fact, and three other documents of the teacher at most`
const TEACHER = `${CATALOGUE} › a teacher’s page has the name, the figures, the bio and how to reach them`
const PAGER = `${CATALOGUE} › twelve a page; the pager ends on both sides, and a filter starts from its first page`
const SLIDERS =
  'e2e/sliders.test.ts › the sliders of home in $locale › run in the page’s direction, by themselves, and the pause holds them'
const BOOKS =
  'e2e/teacher-books.test.ts › a teacher’s documents: 5 first, See More adds 5, Show Less resets'

/** What section 2 says of home, shop, details and teachers. */
export const CATALOGUE_SENTENCES: Record<string, Record<string, readonly string[]>> = {
  home: {
    'The hero has a button to the shop, logged out only': [SECTIONS, MEMBER],
    'Four cards lead to the shop of a level': [SECTIONS],
    'A slider shows the featured books': [SECTIONS, SLIDERS],
    'At most 3 bestsellers have a cover colour, title, author, rating with one decimal and a button':
      [BESTSELLERS],
    'A slider shows the teachers’ books': [SECTIONS],
    'Three avatars lead to the teachers 1, 2 and 3': [SECTIONS],
    'The panel to join has a log-in and a sign-up, logged out only': [SECTIONS, MEMBER],
    'A click on a book goes to its details': [BESTSELLERS],
    'Adding to the cart logged out opens the anonymous prompt': [MODALS],
    'The wallet modal’s actions only close it': [MODALS],
    'A failed section says so, and a retry loads all': [
      'e2e/home-sections.test.ts › a failure of %s is told, the rest stays, and a retry loads all',
    ],
  },
  shop: {
    'It has a title': [CARD],
    'It has filters, and each change asks again': [
      PAGER,
      'e2e/keyboard.test.ts › by keyboard alone, in $locale › the shop: filters, pages and the language picker',
      'server/catalogue.test.ts › GET /api/documents/paginated › answers like a plain filter over all documents, page by page',
    ],
    'A page has 12 documents': [PAGER],
    'The pager has previous, numbered pages and next': [PAGER],
    'A card has a picture, the discount, a heart, title, rating, description and price': [CARD],
    'A card leads to the details': [CARD],
    'A card adds to the cart': [CARD, MODALS],
    'A heart logged in adds or removes the wish': [
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
    ],
    'A heart logged out asks to log in or cancel': [
      'e2e/wishlist.test.ts › the wishlist $who › logged out, a card asks to log in or cancel; the details show the anonymous modal',
    ],
  },
  details: {
    'They show title, description, cover and the price with its discount': [DETAILS],
    'They show rating, subject, class, type, release date and sales': [DETAILS],
    'They link to the teacher': [DETAILS],
    'At most 3 other documents of the teacher link to their details': [DETAILS],
    'A button leads back to the shop': [DETAILS],
    'A button adds to the cart': [
      'e2e/shopping.test.ts › shopping $who › a document is added once, the toast says so and goes by itself after 5 seconds',
    ],
    'A heart wishes for it': [
      'e2e/wishlist.test.ts › the wishlist $who › two tabs show the same wishes',
    ],
    'Five stars can be clicked': [
      DETAILS,
      'e2e/ratings.test.ts › ratings $who › an owner rates by pointer, with words: the average follows, and it can be changed',
    ],
    'The anonymous modal leads to the log-in, or goes on': [
      'e2e/shopping.test.ts › shopping $who › the anonymous prompt leads to the log-in and back, or closes and adds nothing',
      'e2e/main-job.test.ts › $who › finds a document, puts it into the cart, logs in, pays, reads and downloads it',
    ],
    'The log-in dialog of the cards is never opened over them': [
      `${CATALOGUE} › the details never ask by the card’s log-in dialog`,
    ],
    'An uploaded cover is shown, a missing one is drawn': [
      'e2e/covers.test.ts › covers $who › an uploaded cover is shown in the book’s shape, no larger than needed, and moves nothing',
      'e2e/covers.test.ts › covers $who › of one that is %s the drawn book is seen, and nothing broken',
    ],
    'A bare string is a base64 PNG': [
      'e2e/covers.test.ts › covers $who › a bare base64 PNG is shown as well',
    ],
  },
  teacher: {
    'Name, sales, number of books and the rating with its count': [TEACHER],
    'Bio, e-mail and a fixed telephone number': [TEACHER],
    '5 documents first': [BOOKS],
    'See More adds 5': [BOOKS],
    'Show Less resets': [BOOKS],
    'Without documents a sentence says so': [
      'e2e/teacher-books.test.ts › a teacher without documents has a kind sentence',
    ],
  },
  wishlist: {
    'It has its title, and empty a button to the shop': [
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
    ],
    'A card has cover, title, teacher, date and price': [
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
      'e2e/covers.test.ts › the wishlist shows the cover too',
    ],
    'A click goes to the details': [
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
    ],
    'A button removes': [
      'e2e/wishlist.test.ts › the wishlist $who › a heart on a card is kept, shown on the page, and taken off again',
    ],
  },
  contact: {
    'Address, two telephone numbers, school and an e-mail link': [
      `${CATALOGUE} › contact has the school, its address, two telephone numbers, an e-mail address`,
    ],
    'A map, loaded after a tap': [
      'e2e/content.test.ts › in $locale › the map is asked for only after a tap, and the policy lets it be framed',
    ],
    'The contact form is not displayed': [
      'e2e/content.test.ts › in $locale › the map is asked for only after a tap, and the policy lets it be framed',
    ],
  },
}
