import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ALL_ERRORS } from '../../../contract/all-errors.ts'
import { DEFAULT_LOCALE, dirOf, LOCALES } from '../../../i18n/locales.ts'
import { translator } from '../../../i18n/translate.ts'
import { bundleInline } from './integration.ts'

/**
 * Writes into `dist` what a proxy answers while the shop does not listen, as during an update:
 * `away.html` to browsers and `away.json` to calls of the API, at the same place for every build.
 */
export async function writeAwayFiles(dist: string): Promise<void> {
  const { status, message } = ALL_ERRORS.unavailable
  const error = JSON.stringify({ status, error: 'unavailable', message })
  await writeFile(join(dist, 'away.html'), await awayPage())
  await writeFile(join(dist, 'away.json'), error)
}

/** The page in all languages; it loads nothing, since the shop would have to send it. */
async function awayPage(): Promise<string> {
  const style = await styles()
  const { text: script } = await bundleInline(here('./away-script.ts'))
  const policy = [
    "default-src 'none'",
    "connect-src 'self'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
  ].join('; ')
  const sections = LOCALES.map((locale) => {
    const t = translator(locale)
    // An empty href is the address that the visitor asked for.
    return `<section lang="${locale}" dir="${dirOf(locale)}"><h1>${t('busy:away.title')}</h1>
<p>${t('busy:away.text')}</p>
<a href="">${t('common:retry')}</a></section>`
  })
  return `<!doctype html>
<html lang="${DEFAULT_LOCALE}" dir="${dirOf(DEFAULT_LOCALE)}">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<title>${translator(DEFAULT_LOCALE)('busy:away.title')}</title>
<style>${style}</style>
<main>
${sections.join('\n')}
</main>
<script>${script}</script>
`
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function styles(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "@import '../../../styles/tokens.css'; @import './away.css';",
      loader: 'css',
      resolveDir: here('.'),
    },
    bundle: true,
    minify: true,
    write: false,
  })
  return (outputFiles[0]?.text ?? '').trim()
}
