import type { Document, DocumentPage, Teacher } from '../../contract/catalogue.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { PurchasedDocument } from '../../contract/library.ts'
import type { Order } from '../../contract/orders.ts'
import type { Block, SitePage } from '../../contract/site.ts'
import { dinars } from '../../rules/money.ts'
import type { DownloadOutcome } from '../../stores/library/downloads.ts'
import type { Kept, KeptState } from '../../stores/offline/kept.ts'

/** The gallery's sample data: in both scripts, with long and short titles, expensive and free. */
const MOMENT = '2026-03-05T10:00:00Z'

const plain: Document = {
  id: 1,
  title: 'الكسور خطوة بخطوة: دروس وأمثلة',
  description: 'دروس مفصّلة وأمثلة محلولة وتمارين تتدرّج من السهل إلى الصعب.',
  price: dinars(6.5),
  priceDiscount: null,
  rating: 4.2,
  ratingCount: 18,
  categorie: { id: 1, name: 'Cours', code: 'lessons' },
  matiere: { id: 1, name: 'Mathématiques', code: 'mathematics' },
  classe: { id: 6, name: '6e année', code: 'primary-6', level: 'primary-school' },
  type: 'Pour Élève',
  uploadedAt: MOMENT,
  salesCount: 12,
  teacher: { id: 3, name: 'سلمى بن عمر' },
  coverPath: null,
  livrePath: null,
  coverMappingId: null,
  coverMapping: null,
  filePath: null,
  fileType: 'pdf',
  pageCount: 24,
}

export const DOCUMENTS: readonly Document[] = [
  plain,
  {
    ...plain,
    id: 2,
    title: 'Équations du second degré : cours, méthodes et exercices corrigés pas à pas',
    description: 'Un cours complet, puis vingt exercices du plus simple au plus difficile.',
    price: dinars(12),
    priceDiscount: dinars(9),
    rating: 0,
    ratingCount: 0,
    matiere: { id: 2, name: 'Physique', code: 'physics' },
    teacher: { id: 4, name: 'Sami Ben Mahmoud' },
  },
  {
    ...plain,
    id: 3,
    title: 'امتحان تجريبي',
    price: 0,
    rating: 5,
    ratingCount: 1,
    matiere: { id: 3, name: 'Sciences', code: 'science' },
  },
  {
    ...plain,
    id: 4,
    title: 'Philosophie : résumés',
    matiere: { id: 4, name: 'Philosophie', code: 'philosophy' },
    coverMapping: { coverPath: null, livrePath: null, color: '#a93a4e' },
  },
]

export const PURCHASED: readonly PurchasedDocument[] = DOCUMENTS.slice(0, 2).map((document) => ({
  documentId: document.id,
  documentTitle: document.title,
  amount: document.price,
  matiereName: document.matiere.name,
  niveauName: document.classe.name,
  categoryName: document.categorie.name,
  categoryId: document.categorie.id,
  matiereId: document.matiere.id,
  niveauId: document.classe.id,
  teacherId: document.teacher.id,
  teacherName: document.teacher.name,
  averageRating: document.rating,
  salesCount: document.salesCount,
  purchaseDate: MOMENT,
  fileType: 'pdf',
}))

export const PAYMENT: NonNullable<Order['payment']> = {
  paymentRef: 'a1b2c3d4e5f60718293a4b5c',
  purpose: 'order',
  method: 'bank_transfer',
  state: 'pending',
  amount: dinars(18.5),
  orderId: 12,
  paymentUrl: '/payment/transfer/a1b2c3d4e5f60718293a4b5c',
  returnTo: '/my-documents',
  createdAt: MOMENT,
  expiresAt: '2026-03-08T10:00:00Z',
}

export const INVOICES: readonly Invoice[] = [
  { id: 1, kind: 'invoice', number: '2026-000123', issuedAt: MOMENT, total: dinars(18.5) },
  { id: 2, kind: 'credit_note', number: '2026-000007', issuedAt: MOMENT, total: dinars(6) },
]

const order: Order = {
  id: 12,
  status: 'pending',
  method: 'bank_transfer',
  total: dinars(18.5),
  createdAt: MOMENT,
  paidAt: null,
  expiresAt: PAYMENT.expiresAt,
  receiptNumber: null,
  invoices: [],
  buyer: { name: 'سلمى بن عمر', email: 'parent@karras.test' },
  items: DOCUMENTS.slice(0, 2).map(({ id, title, price }) => ({
    documentId: id,
    title,
    price,
    refundedAt: null,
    isOwned: false,
  })),
  payment: PAYMENT,
}

/** An order that waits for its payment, and one that was paid and partly refunded. */
export const ORDERS: readonly Order[] = [
  order,
  {
    ...order,
    status: 'paid',
    paidAt: MOMENT,
    receiptNumber: 7,
    items: order.items.map((item, at) => ({ ...item, refundedAt: at === 1 ? MOMENT : null })),
  },
]

const teacher: Teacher = {
  id: 3,
  firstName: 'سلمى',
  lastName: 'بن عمر',
  username: 'salma',
  bio: '',
  email: 'teacher@karras.test',
  rating: 4.6,
  ratingCount: 31,
  salesCount: 120,
  reviewCount: 9,
  documentCount: 6,
  subjects: [plain.matiere],
  levels: ['primary-school'],
}

/** A teacher with ratings, and one without. */
export const TEACHERS: readonly Teacher[] = [
  teacher,
  { ...teacher, id: 4, firstName: 'Sami', lastName: 'Ben Mahmoud', rating: 0, ratingCount: 0 },
]

/** Search results: one page of several, after a word was corrected. */
export const FOUND: DocumentPage = {
  content: [...DOCUMENTS],
  number: 0,
  totalPages: 3,
  totalElements: 30,
  spelling: { text: 'الكسور', isApplied: true },
}

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const paragraph = (words: string): Block => ({ kind: 'paragraph', children: text(words) })

/** A page that administrators wrote, with every kind of block, and items in two languages. */
export const WRITTEN: SitePage = {
  locale: 'ar',
  title: 'عن كراس',
  description: '',
  lead: plain.description,
  blocks: [
    { kind: 'heading', level: 2, id: 'written', children: text(plain.title) },
    {
      kind: 'paragraph',
      children: [
        { kind: 'strong', children: text('شرح واضح') },
        { kind: 'text', text: '، ' },
        { kind: 'em', children: text('وأمثلة محلولة') },
        { kind: 'break' },
        { kind: 'link', href: '', children: text('كراس') },
        { kind: 'code', text: ' 1/2 ' },
      ],
    },
    ...[false, true].map(
      (isOrdered): Block => ({
        kind: 'list',
        isOrdered,
        start: 1,
        isTight: true,
        items: DOCUMENTS.slice(0, 2).map(({ title }) => [paragraph(title)]),
      }),
    ),
    { kind: 'quote', blocks: [paragraph(plain.description)] },
    { kind: 'rule' },
    { kind: 'code', text: '1/2 + 1/4 = 3/4' },
  ],
  items: DOCUMENTS.slice(0, 2).map(({ title, description, teacher: { name } }, at) => ({
    locale: at === 0 ? ('ar' as const) : ('fr' as const),
    title: name,
    note: title,
    blocks: [paragraph(description)],
  })),
}

/** What the press on a download button may come to. */
export const DOWNLOADS: readonly DownloadOutcome[] = [
  { phase: 'started' },
  { phase: 'failed', problem: 'download_gone' },
  { phase: 'failed', problem: 'download_failed' },
  { phase: 'outside', address: '#' },
]

const KEPT_STATES: readonly KeptState[] = ['keeping', 'kept', 'partly', 'full', 'cut', 'failed']

/** Kept documents in each state; the last one is `kept` in an old version. */
export const KEPT: readonly Kept[] = [...KEPT_STATES, 'kept' as const].map((state, at) => ({
  documentId: 9101 + at,
  title: plain.title,
  version: at < KEPT_STATES.length ? 2 : 1,
  pages: state === 'kept' ? 24 : 9,
  of: 24,
  bytes: 3_200_000,
  keptAt: Date.parse(MOMENT),
  state,
}))
