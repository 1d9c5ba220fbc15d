import type { PagePath } from './pages.ts'

/**
 * The pages by which the office lists the texts of the interface: where the texts of these files of
 * `locales/` are seen, or from where one gets to it.
 */
export const TEXT_GROUPS = {
  everywhere: { page: '/', files: ['common', 'error', 'errors', 'share'] },
  home: { page: '/', files: ['home', 'slider'] },
  shop: { page: '/shop', files: ['shop', 'search', 'programme'] },
  document: {
    page: '/shop',
    files: ['document', 'samples', 'ratings', 'reports', 'report-dialog'],
  },
  teacher: { page: '/teachers', files: ['teacher'] },
  checkout: { page: '/checkout', files: ['cart', 'checkout', 'purchase', 'payment'] },
  order: { page: '/my-documents', files: ['order', 'invoice'] },
  library: { page: '/my-documents', files: ['library', 'archive', 'versions', 'reader', 'marks'] },
  wallet: { page: '/charging', files: ['charging'] },
  wishes: { page: '/wishlist', files: ['wishlist', 'following'] },
  chat: { page: '/chat', files: ['chat'] },
  login: { page: '/login', files: ['account', 'password', 'confirm-email'] },
  account: { page: '/account', files: ['own-account', 'own-data'] },
  written: { page: '/about', files: ['content', 'retention'] },
  messages: { page: '/office/notices', files: ['mail', 'chat-mail', 'staff-mail', 'sms'] },
} as const satisfies Readonly<Record<string, { page: PagePath; files: readonly string[] }>>

export type TextGroupName = keyof typeof TEXT_GROUPS

export const TEXT_GROUP_NAMES = Object.keys(TEXT_GROUPS) as TextGroupName[]

const GROUP_OF: ReadonlyMap<string, TextGroupName> = new Map(
  TEXT_GROUP_NAMES.flatMap((name) => TEXT_GROUPS[name].files.map((file) => [file, name] as const)),
)

/** The group of a text by its key (`shop:results_few`); undefined if its file is in none. */
export function textGroupOf(key: string): TextGroupName | undefined {
  return GROUP_OF.get(key.slice(0, key.indexOf(':')))
}
