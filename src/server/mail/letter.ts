import { fillText, isolate } from '../../i18n/format.ts'
import { labelled } from '../../i18n/listed.ts'
import { dirOf, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { PageAddress } from '../../rules/pages.ts'
import { escapeHtml } from '../http/html.ts'
import type { WrittenMail } from './deliver.ts'

/** A part of a letter; parts follow each other from top to bottom. */
export type Part =
  | { readonly text: string }
  /** A button; in plain text, its address on a separate line. */
  | { readonly button: string; readonly href: string }
  /** A quiet link; in plain text, its address on the line below. */
  | { readonly link: string; readonly href: string }
  /** Labels with values, each of which keeps its own direction; without a value, a heading of those below it. */
  | { readonly facts: readonly Fact[] }

export interface Fact {
  readonly label: string
  readonly value: string
  readonly isStrong?: boolean
}

export interface Letter {
  readonly texts: Texts
  readonly locale: Locale
  /** null: the account has no e-mail address. */
  readonly to: string | null
  readonly subject: string
  readonly title: string
  readonly parts: readonly Part[]
}

/** Composes a mail from the shop, with the same content as plain text and as HTML. */
export function letter({ texts, locale, to, subject, title, parts }: Letter): WrittenMail {
  const { name, pen } = texts[locale].brand
  const text = [...parts.map((part) => plain(locale, part)), name].join('\n\n')
  return {
    sender: name,
    to,
    subject,
    text: `${text}\n`,
    html: page({ locale, title: subject, name, pen }, [
      `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.4">${escapeHtml(title)}</h1>`,
      ...parts.map((part) => marked(locale, part, pen)),
      ...parts.flatMap((part) =>
        'button' in part ? [addressBelow(texts[locale].mail.frame.link, part.href, pen)] : [],
      ),
    ]),
  }
}

interface AccountLetter extends Omit<Letter, 'subject' | 'title' | 'parts'> {
  /** The account's name, as the greeting says it. */
  readonly name: string
  readonly words: Readonly<Record<'subject' | 'title' | 'text' | 'button', string>>
  /** What subject and text say for their placeholders. */
  readonly values?: Readonly<Record<string, string | number>>
  readonly facts?: readonly Fact[]
  readonly siteUrl: string
  /** The page to which the button leads. */
  readonly page: PageAddress
  readonly after?: readonly Part[]
}

/** A letter to an account: a greeting, what it is about, and a button. */
export function accountLetter({
  name,
  words,
  values = {},
  facts = [],
  siteUrl,
  page,
  after = [],
  ...rest
}: AccountLetter): WrittenMail {
  const { texts, locale } = rest
  return letter({
    ...rest,
    subject: fillText(words.subject, values),
    title: words.title,
    parts: [
      { text: fillText(texts[locale].mail.hello, { name: isolate(name) }) },
      { text: fillText(words.text, values) },
      ...(facts.length > 0 ? [{ facts }] : []),
      { button: words.button, href: `${siteUrl}${pathIn(locale, page)}` },
      ...after,
    ],
  })
}

function plain(locale: Locale, part: Part): string {
  if ('text' in part) return part.text
  // The address gets a separate line, so that it is one link in either direction of the text.
  if ('link' in part) return `${part.link}\n${part.href}`
  if ('button' in part) return part.href
  return part.facts
    .map(({ label, value }) =>
      value === ''
        ? isolated(label)
        : labelled(locale, isolated(label), isCopied(value) ? value : isolated(value)),
    )
    .join('\n')
}

function marked(locale: Locale, part: Part, pen: string): string {
  if ('text' in part) return `<p style="margin:0 0 12px">${escapeHtml(part.text)}</p>`
  if ('link' in part) {
    return `<p style="margin:0 0 12px;font-size:14px"><a href="${escapeHtml(part.href)}" style="color:${pen}">${escapeHtml(part.link)}</a></p>`
  }
  if ('button' in part) {
    return `<p style="margin:24px 0"><a href="${escapeHtml(part.href)}" style="${BUTTON};background:${pen}">${escapeHtml(part.button)}</a></p>`
  }
  return `<table style="width:100%;margin:0 0 12px;border-collapse:collapse;font-size:16px">\n${part.facts.map((fact) => row(locale, fact)).join('\n')}\n</table>`
}

function row(locale: Locale, { label, value, isStrong = false }: Fact): string {
  // Many mail programs do not support logical padding.
  const gap = dirOf(locale) === 'rtl' ? '6px 0 6px 12px' : '6px 12px 6px 0'
  const weight = isStrong ? ';font-weight:bold' : ''
  return `<tr><td style="${CELL};padding:${gap};color:#4b5573"><bdi>${escapeHtml(label)}</bdi></td><td style="${CELL};padding:6px 0;overflow-wrap:anywhere${weight}"><bdi>${escapeHtml(value)}</bdi></td></tr>`
}

function addressBelow(text: string, href: string, pen: string): string {
  return `<p style="margin:24px 0 0;color:#4b5573;font-size:14px">${escapeHtml(text)}<br><a dir="ltr" href="${escapeHtml(href)}" style="color:${pen};word-break:break-all">${escapeHtml(href)}</a></p>`
}

// Many mail programs ignore style sheets: every element has its own style.
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:4px;color:#ffffff;font-weight:bold;text-decoration:none'
const CELL = 'border-bottom:1px solid #e3dfd3;vertical-align:top'

function page(
  { locale, title, name, pen }: { locale: Locale; title: string; name: string; pen: string },
  parts: readonly string[],
): string {
  const dir = dirOf(locale)
  const align = dir === 'rtl' ? 'right' : 'left'
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body dir="${dir}" style="margin:0;padding:24px 12px;background:#fdfcf8;color:#1b2440;font:16px/1.7 Tahoma,Arial,sans-serif;text-align:${align}">
<div dir="${dir}" style="max-width:520px;margin:0 auto;padding:24px;border:1px solid #e3dfd3;border-radius:10px;background:#ffffff;text-align:${align}">
<p style="margin:0 0 16px;color:${pen};font-size:18px;font-weight:bold">${escapeHtml(name)}</p>
${parts.join('\n')}
</div>
</body>
</html>
`
}

/**
 * Whether a value is a single Latin word, such as a payment's reference, which readers copy: marks
 * would be copied along with it, and its direction is certain without them.
 */
const isCopied = (value: string): boolean => /^[A-Za-z][\w.@+-]*$/.test(value)

/** Isolates a value of another direction (U+2068…U+2069), unless it is isolated already. */
function isolated(value: string): string {
  return value.startsWith('\u2068') ? value : isolate(value)
}
