import type { Document } from '../../contract/catalogue.ts'
import type { PurchasedDocument } from '../../contract/library.ts'
import type { Order } from '../../contract/orders.ts'
import { dinars } from '../../rules/money.ts'

/** What the gallery shows its components with: both scripts, long and short titles, expensive and free. */
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

const order: Order = {
  id: 12,
  status: 'pending',
  method: 'bank_transfer',
  total: dinars(18.5),
  createdAt: MOMENT,
  paidAt: null,
  expiresAt: PAYMENT.expiresAt,
  receiptNumber: null,
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

/** An order that waits for its money, and one that was paid and partly given back. */
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
