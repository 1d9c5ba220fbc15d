import { fillText } from '../../i18n/format.ts'
import { dirOf, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { MINUTE_MS, RESET_LINK_LIFETIME_MS } from '../../rules/limits.ts'
import { SITE } from '../../site.ts'
import { mailTexts } from './mail-texts.ts'
import type { Mail } from './mailer.ts'

interface ResetLink {
  readonly locale: Locale
  readonly to: string
  /** The origin that the link leads to. */
  readonly siteUrl: string
  readonly token: string
}

/** The mail with the link that resets a password, in the language of the page that asked for it. */
export function resetMail({ locale, to, siteUrl, token }: ResetLink): Mail {
  const name = SITE.name[locale]
  const link = `${siteUrl}${pathIn(locale, '/reset-password')}?token=${token}`
  const values = { site: name, minutes: RESET_LINK_LIFETIME_MS / MINUTE_MS }
  const said = mailTexts(locale).reset
  const say = (key: keyof typeof said) => fillText(said[key], values)
  const text = [
    say('hello'),
    say('asked'),
    // On a line of its own, so that it is one link whichever way the text runs.
    link,
    say('once'),
    say('ignore'),
    name,
  ].join('\n\n')
  return {
    from: { name, address: SITE.email },
    to,
    subject: say('subject'),
    text: `${text}\n`,
    html: page(locale, say('subject'), [
      `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.4">${escapeHtml(say('title'))}</h1>`,
      paragraph(say('hello')),
      paragraph(say('asked')),
      `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(say('button'))}</a></p>`,
      paragraph(say('once')),
      paragraph(say('ignore')),
      `<p style="margin:24px 0 0;color:#4b5573;font-size:14px">${escapeHtml(say('link'))}<br><a dir="ltr" href="${escapeHtml(link)}" style="color:#2440a8;word-break:break-all">${escapeHtml(link)}</a></p>`,
    ]),
  }
}

// Programs that show mails know no style sheet: every element carries its own style.
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:4px;background:#2440a8;color:#ffffff;font-weight:bold;text-decoration:none'

function page(locale: Locale, title: string, parts: readonly string[]): string {
  const dir = dirOf(locale)
  const align = dir === 'rtl' ? 'right' : 'left'
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body dir="${dir}" style="margin:0;padding:24px 12px;background:#fdfcf8;color:#1b2440;font:16px/1.7 Tahoma,Arial,sans-serif;text-align:${align}">
<div dir="${dir}" style="max-width:520px;margin:0 auto;padding:24px;border:1px solid #e3dfd3;border-radius:10px;background:#ffffff;text-align:${align}">
<p style="margin:0 0 16px;color:#2440a8;font-size:18px;font-weight:bold">${escapeHtml(SITE.name[locale])}</p>
${parts.join('\n')}
</div>
</body>
</html>
`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
