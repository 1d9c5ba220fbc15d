import { create, is, type Struct } from 'superstruct'
import { expect, test } from 'vitest'
import { addToCart, getCart, getWishlist } from '../../src/contract/carts.ts'
import { Document, Teacher } from '../../src/contract/catalogue.ts'
import { listMessages, sendMessage } from '../../src/contract/chat.ts'
import { CALLS } from '../../src/contract/index.ts'
import { PurchasedDocument } from '../../src/contract/library.ts'
import { addRating, Rating } from '../../src/contract/ratings.ts'
import { getFeatures } from '../../src/contract/site.ts'
import { directPay } from '../../src/contract/wallet.ts'
import { UNKNOWN_ID } from '../../src/rules/features.ts'
import { dinars } from '../../src/rules/money.ts'
import { promised } from '../support/promised.ts'
import { specifiedBackend } from '../support/specified-backend.ts'

const OF_THE_OFFICE = ['staff', 'teacher', 'admin']

test('each call for visitors is in the specification, or belongs to a feature that a backend may lack', async () => {
  const backend = await specifiedBackend()
  const shopCalls = Object.entries(CALLS).filter(
    ([, { caller }]) => !OF_THE_OFFICE.includes(caller),
  )
  for (const [name, { method, path, feature }] of shopCalls) {
    if (path === getFeatures.path || path.startsWith('/office/')) continue
    const isSpecified = backend.has(method, path.replaceAll(/:\w+/g, '*'))
    expect(
      isSpecified !== (feature !== undefined),
      `${name} needs a feature of rules/features.ts`,
    ).toBe(true)
  }
  await backend.stop()
})

const specified = {
  id: 4,
  title: 'الكسور',
  description: 'عشرون تمرينا',
  price: 12.5,
  priceDiscount: 9,
  rating: 4.5,
  ratingCount: 2,
  categorie: { id: 2, name: 'Exercices' },
  matiere: { id: 1, name: 'Mathématiques' },
  classe: { id: 6, name: '6ème année' },
  type: 'Pour Élève',
  uploadedAt: '2026-05-04T10:00:00Z',
  salesCount: 7,
  teacher: { id: 1, name: 'Leila' },
}

test('a document is read in every shape that the specification leaves open', () => {
  const whole = create(specified, Document)
  expect(whole).toMatchObject({ ...specified, price: dinars(12.5), priceDiscount: dinars(9) })
  expect(whole).toMatchObject({ coverPath: null, coverMapping: null, filePath: null })
  const texts = { matiere: 'Mathématiques', classe: '6ème année', categorie: 'Exercices' }
  const named = create({ ...specified, ...texts, uploadedAt: '2026-05-04T10:00:00' }, Document)
  expect(named.matiere).toEqual({ id: UNKNOWN_ID, name: 'Mathématiques' })
  expect(named.classe).toEqual({ id: UNKNOWN_ID, name: '6ème année' })
  expect(named.uploadedAt).toBe('2026-05-04T10:00:00.000Z')
  const least = create(
    { id: 4, title: 'x', price: 1, priceDiscount: null, teacher: null },
    Document,
  )
  expect(least).toMatchObject({
    priceDiscount: null,
    rating: 0,
    teacher: { name: '' },
    uploadedAt: '',
  })
})

test.each([
  ['a number in place of a code', { matiere: { id: 1, name: 'Maths', code: 5 } }],
  ['another cover', { coverMapping: 'blue', coverPath: 7 }],
  ['a count in words', { pageCount: 'twenty', salesCount: 'many' }],
  ['a date in words', { uploadedAt: 'yesterday' }],
])('%s is left out, and the rest is read', (_, strange) => {
  expect(create({ ...specified, ...strange }, Document)).toMatchObject({ title: 'الكسور' })
})

test('what nobody can do without is needed: an id and a price', () => {
  for (const part of [{ id: undefined }, { price: undefined }, { price: 'free' }])
    expect(() => create({ ...specified, ...part }, Document)).toThrow()
})

test('a cart, a wish, a message, a rating and a payment are read whatever a backend answers', () => {
  expect(create({}, addToCart.result)).toBeNull()
  expect(create('', addToCart.result)).toBeNull()
  const entry = { document: { id: 4, title: null, price: 12.505, priceDiscount: null } }
  expect(create([entry], getCart.result)[0]?.document).toMatchObject({
    title: '',
    price: dinars(12.51),
  })
  expect(create([specified], getWishlist.result)[0]).toMatchObject({
    createdAt: '',
    document: { id: 4 },
  })
  const echo = { senderId: 9, receiverId: 2, roomId: 'room_2_9', content: 'x' }
  expect(create(echo, sendMessage.result)).toEqual({ ...echo, id: UNKNOWN_ID, timestamp: '' })
  expect(create([echo], listMessages.result)).toHaveLength(1)
  const rating = { user: { id: 9 }, document: { id: 4 }, rating: 5, comment: 'x' }
  expect(create(rating, addRating.result)).toMatchObject({ id: UNKNOWN_ID, rating: 5 })
  expect(create('saved', addRating.result)).toMatchObject({ id: UNKNOWN_ID })
  for (const answer of [{}, 'ok', null, { userId: 9, amount: 5 }])
    expect(create(answer, directPay.result)).toMatchObject({ status: 'SUCCESS' })
})

test('of our own backend everything is asked that it promises', () => {
  for (const struct of [Document, Teacher, Rating, PurchasedDocument] as Struct<unknown>[]) {
    expect(
      is(create({ id: 4, documentId: 4, price: 1, user: {}, rating: 1 }, struct), struct),
    ).toBe(true)
    expect(() =>
      create({ id: 4, documentId: 4, price: 1, user: {}, rating: 1 }, promised(struct)),
    ).toThrow()
  }
})
