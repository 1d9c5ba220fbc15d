import { dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { A_PAYMENT, A_RECEIPT, AN_ORDER, OWNED, withCodeOff } from './samples.ts'
import { plain, type Scene, scene } from './scene.ts'

const aWish = (id: number, title: string, price: number, priceDiscount: number | null) => ({
  createdAt: '2026-03-04T10:00:00.000Z',
  document: {
    id,
    title,
    price,
    priceDiscount,
    filePath: null,
    coverPath: null,
    coverMapping: null,
    teacher: { username: 'سلمى الزواري' },
    matiereCode: id % 2 ? 'mathematics' : 'science',
  },
})
const A_BANK_ACCOUNT = { holder: 'Amal Ben Salah', rib: '10006035183598478831' }
const WISHES = [
  aWish(66, 'العلم بين الحقيقة والنمذجة: ملخّص وأسئلة', 7, null),
  aWish(69, 'Informatique bac : exercices de programmation', 10, 8),
]

const aMark = (at: number, quarters: number, more: object = {}) => ({
  id: String(at).padStart(32, '0'),
  ...{ documentId: 1, title: 'فرض مراقبة عدد 1 في الرياضيات', child: '', quarters },
  ...{ exerciseQuarters: null, minutes: 60, satAt: `2026-0${at}-05T09:00:00.000Z` },
  ...{ matiereId: 1, matiereName: '', matiereCode: 'mathematics', matiereNames: null },
  ...more,
})
const PHYSICS = { matiereId: 2, matiereCode: 'physics', title: 'Devoir de synthèse n°2' }
const MARKS = [
  aMark(6, 61, { exerciseQuarters: [20, 21, 20] }),
  ...[aMark(5, 44), aMark(4, 50), aMark(3, 33), aMark(2, 78, PHYSICS)],
  aMark(1, 40, { child: 'Mohamed Amine' }),
]

const AN_AUTHOR = { id: 1, name: 'منية بن صالح', latinName: 'Monia Ben Salah' }
const someNews = (kind: string, at: number, title: string, priceBefore: number | null = null) => ({
  ...{ kind, at: `2026-01-0${9 - at}T09:00:00.000Z`, isNew: at < 2, priceBefore },
  document: { id: at, title, price: 6, teacher: AN_AUTHOR },
})
const NEWS = {
  news: [
    someNews('published', 1, 'فرض مراقبة عدد 1 في الرياضيات'),
    someNews('price', 2, 'Informatique bac : exercices de programmation', 8),
    someNews('version', 3, 'ملخّص دروس الفيزياء'),
    someNews('correction', 4, 'Devoir de synthèse n°2'),
  ],
  teachers: [AN_AUTHOR],
  subjects: [
    {
      classe: { id: 1, name: '', code: 'primary-1', level: 'primary-school' },
      matiere: { id: 1, name: '', code: 'mathematics' },
    },
  ],
  readAt: '2026-01-09T09:00:00.000Z',
}

const WAITS = [
  {
    ...{ id: 14, title: 'فرض تأليفيّ في الرياضيات: الثلاثيّ الثاني', isForSale: true },
    ...{ teacher: { name: 'سلمى بن عمر' }, addedAt: '2026-03-05T10:00:00Z' },
  },
  {
    ...{ id: 31, title: 'Devoir de synthèse de sciences physiques', isForSale: false },
    ...{ teacher: { name: 'Nour Zouari' }, addedAt: '2026-03-04T10:00:00Z' },
  },
]

/** Customers' pending orders and wishes, and the next documents to find. */
export const OWN_SCENES: readonly Scene[] = [
  scene(
    'my-documents-waiting',
    { part: '.open-orders, .continue-reading', as: 'parent' },
    async (page, locale) => {
      const orders = [
        withCodeOff(AN_ORDER),
        { ...AN_ORDER, id: 13, method: 'card', payment: { ...A_PAYMENT, method: 'card' } },
        { ...AN_ORDER, id: 11, status: 'expired', createdAt: new Date().toISOString() },
        { ...A_RECEIPT, id: 10, items: [{ ...A_RECEIPT.items[0], documentId: OWNED }] },
      ]
      await page.route('**/api/orders/user/*', (route) => route.fulfill({ json: orders }))
      await page.addInitScript((id) => localStorage.setItem('last_read', String(id)), OWNED)
      await open(page, locale, '/my-documents')
      await page.locator('.open-orders > li').first().waitFor()
      await page.locator('.continue-reading').waitFor()
    },
  ),
  scene('wishlist', { as: 'parent' }, async (page, locale) => {
    // Stubbed wishes: these tests share the account.
    await page.route(/\/api\/wishlist\/\d+$/, (route) => route.fulfill({ json: WISHES }))
    await page.route('**/api/correction-waits', (route) => route.fulfill({ json: WAITS }))
    await open(page, locale, '/wishlist')
    await page.locator('main .card').first().waitFor()
    await page.locator('[aria-labelledby=waits] li').nth(1).waitFor()
  }),
  scene('wishlist-empty', { as: 'poor' }, async (page, locale) => {
    await open(page, locale, '/wishlist')
    await page.getByText(uiText(locale, 'wishlist:page.empty.title')).waitFor()
    await page.getByText(uiText(locale, 'wishlist:waits.none')).waitFor()
  }),
  scene('news', { as: 'parent' }, async (page, locale) => {
    // Stubbed: these tests share the account.
    await page.route('**/api/following/news', (route) => route.fulfill({ json: NEWS }))
    await open(page, locale, '/news')
    await page.locator('.news').last().waitFor()
  }),
  plain('news-none', '/news', 'poor'),
  plain('unsubscribe', '/unsubscribe?token=1.x'),
  scene('marks', { as: 'parent' }, async (page, locale) => {
    // Stubbed: these tests share the account.
    await page.route('**/api/library/marks', (route) => route.fulfill({ json: MARKS }))
    await open(page, locale, '/marks')
    await page.locator('.marks').first().waitFor()
  }),
  plain('marks-none', '/marks', 'poor'),
  plain('account', '/account', 'parent'),
  scene(
    'account-deleting',
    { part: '[aria-labelledby=delete]', as: 'parent' },
    async (page, locale) => {
      await open(page, locale, '/account')
      await page.getByText(uiText(locale, 'own-account:leaving.remove.open')).click()
      await page.getByText(uiText(locale, 'own-account:leaving.remove.choices.return')).click()
      await page.locator('[aria-labelledby=delete] [type=submit]').click()
      await page.locator('.field__error').first().waitFor()
    },
  ),
  scene('account-leaving', { as: 'parent' }, async (page, locale) => {
    const until = '2026-12-11T10:00:00.000Z'
    await page.route('**/api/account', async (route) => {
      const account = await (await route.fetch()).json()
      const deletion = { dueAt: until, account: A_BANK_ACCOUNT, givesUpMoney: false }
      await route.fulfill({
        json: { ...account, deletion, export: { state: 'ready', until, size: 48_000 } },
      })
    })
    await open(page, locale, '/account')
    await page.locator('.alert--error').waitFor()
  }),
  scene('account-failed', { as: 'parent' }, async (page, locale) => {
    await page.route('**/api/account', (route) => route.abort())
    await open(page, locale, '/account')
    await page.locator('.error-state').waitFor()
  }),
  scene(
    'account-codes',
    { part: 'section[aria-labelledby=contacts]', as: 'parent' },
    async (page, locale) => {
      // Stubbed: these tests share the account, and their shop reaches no phones.
      await page.route('**/api/account', async (route) => {
        const account = await (await route.fetch()).json()
        const contactChange = { kind: 'phone', value: '98000111', dueAt: null, asksOldPhone: true }
        await route.fulfill({ json: { ...account, contactChange } })
      })
      await open(page, locale, '/account')
      await page.getByText(uiText(locale, 'own-account:contacts.codes.oldCodeHint')).waitFor()
    },
  ),
  scene('login-required', {}, async (page, locale) => {
    await open(page, locale, '/shop')
    await page.locator('main .heart:visible').first().click()
    await dialogOf(page, locale, 'cart:overlays.loginRequired.title')
  }),
  scene('forget-password-errors', { part: 'form' }, async (page, locale) => {
    await open(page, locale, '/forget-password')
    const email = page.getByLabel(uiText(locale, 'password:forgot.email'), { exact: true })
    await email.fill('x')
    await email.blur()
    await page.locator('.field__error').first().waitFor()
  }),
  scene('search-suggestions', { part: '.search' }, async (page, locale) => {
    await open(page, locale, '/shop')
    const box = page.getByRole('combobox').and(page.locator(':visible')).first()
    await box.fill(locale === 'ar' ? 'ال' : 'e')
    await page.locator('[role=option]').first().waitFor()
  }),
]
