import { sql } from 'kysely'
import { fillText, isolate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Deps } from '../deps.ts'
import { letter, type Writers } from '../mail/mail.ts'

interface Told {
  readonly to: string | null
  readonly locale: Locale
  readonly documentId: number
  readonly title: string
  readonly reply: string | null
  readonly isKept: boolean | null
}

/** Writes the mails about reports: to the teacher at the beginning, to all concerned at the end. */
export function reportMailWriters({
  config: { siteUrl },
  database: { kysely },
}: Pick<Deps, 'config' | 'database'>): Pick<
  Writers,
  'report_opened' | 'report_answered' | 'report_closed'
> {
  const teacher = async ({ userId, caseId }: { userId: number; caseId: number }) => {
    const { rows } = await sql<Told>`
      SELECT u.email AS "to", u.locale, d.id AS document_id, d.title, c.reply, c.is_kept
      FROM report_cases c JOIN documents d ON d.id = c.document_id
      JOIN users u ON u.id = ${userId} AND u.blocked_at IS NULL
      WHERE c.id = ${caseId}`.execute(kysely)
    return rows[0]
  }
  const reporter = async ({ reportId }: { reportId: number }) => {
    const { rows } = await sql<Told>`
      SELECT coalesce(u.email, r.email) AS "to", coalesce(u.locale, r.locale) AS locale,
        d.id AS document_id, d.title, c.reply, c.is_kept
      FROM reports r JOIN report_cases c ON c.id = r.case_id
      JOIN documents d ON d.id = c.document_id
      LEFT JOIN users u ON u.id = r.user_id AND u.blocked_at IS NULL
      WHERE r.id = ${reportId}`.execute(kysely)
    return rows[0]
  }
  const write =
    <Data>(
      kind: 'opened' | 'answered' | 'closed',
      find: (data: Data) => Promise<Told | undefined>,
    ): ((
      data: Data,
      texts: Parameters<Writers['report_opened']>[1],
    ) => ReturnType<Writers['report_opened']>) =>
    async (data, texts) => {
      const told = await find(data)
      if (!told) return null
      const { to, locale, documentId, reply, isKept } = told
      const words = texts[locale].reports.mail
      const values = { title: isolate(told.title.replace(/\s+/g, ' ')) }
      const say = (text: string) => ({ text: fillText(text, values) })
      const { subject, title, text } = words[kind]
      return letter({
        texts,
        locale,
        to,
        subject: fillText(subject, values),
        title,
        parts: [
          say(text),
          ...(reply === null ? [] : [say(isKept ? words.kept : words.removed), { text: reply }]),
          ...(kind === 'answered'
            ? []
            : [
                {
                  button: words.button,
                  href: `${siteUrl}${pathIn(locale, '/office/document')}?id=${documentId}`,
                },
              ]),
        ],
      })
    }
  return {
    report_opened: write('opened', teacher),
    report_answered: write('answered', reporter),
    report_closed: write('closed', teacher),
  }
}
