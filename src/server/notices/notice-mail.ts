import type { WaitingGroup } from '../../contract/office-desk.ts'
import { fillText, pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { NoticeKind } from '../../rules/upkeep.ts'
import type { Deps } from '../deps.ts'
import { letter, type Part, type Writers } from '../mail/mail.ts'
import { readWaiting } from '../waiting/waiting.ts'

/**
 * Writes the mail that tells an administrator what waits, as it is when the mail's turn comes; none
 * if somebody has seen to all of it meanwhile.
 */
export function noticeMailWriter(
  deps: Pick<Deps, 'config' | 'database' | 'now'>,
): Pick<Writers, 'owner_notice'> {
  return {
    async owner_notice({ userId, kinds }, texts) {
      const user = await deps.database.kysely
        .selectFrom('users')
        .select(['email', 'locale'])
        .where('id', '=', userId)
        .where('role', '=', 'ADMIN')
        .where('blockedAt', 'is', null)
        .executeTakeFirst()
      if (!user) return null
      const { locale, email } = user
      const { groups } = await readWaiting(deps, userId)
      const told = groups.filter(({ kind }) => kinds.some((each) => isAbout(each, kind)))
      if (told.length === 0) return null
      const sentences = told.map((group) => sentenceOf(texts, locale, group))
      const words = texts[locale].mail.notice
      const parts: Part[] = [
        ...told.map(({ reason }, at) => ({
          text: [sentences[at], reason].filter(Boolean).join('\n'),
        })),
        {
          button: words.button,
          href: `${deps.config.siteUrl}${pathIn(locale, '/office')}`,
        },
        { text: words.off },
      ]
      return letter({
        texts,
        locale,
        to: email,
        subject: fillText(words.subject, { what: sentences[0] ?? '' }),
        title: words.title,
        parts,
      })
    },
  }
}

/** Whether a notice tells of a kind of waiting things: that on mail also of those given up. */
const isAbout = (notice: NoticeKind, kind: WaitingGroup['kind']): boolean =>
  notice === kind || (notice === 'mail' && kind === 'mails')

function sentenceOf(texts: Texts, locale: Locale, { kind, count }: WaitingGroup): string {
  const { waits, kinds } = texts[locale]['office-waiting'].page
  return kind in waits ? waits[kind as keyof typeof waits] : pluralText(locale, kinds, kind, count)
}
