import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SchoolLists } from '../../src/server/catalogue/catalogue.ts'
import type { DemoDocument } from '../../src/server/demo/demo-data.ts'
import { entryOf, readDemoShop } from '../../src/server/demo/demo-data.ts'
import { escapeHtml, prose } from './html.ts'
import { LAYOUTS, type Language } from './layouts.ts'
import { readTopic, readWords } from './texts.ts'

/** A demo document as the browser prints it. */
export interface Book {
  readonly id: number
  readonly html: string
  /** SHA-256 of `html`: the document must be printed again when it changes. */
  readonly source: string
}

/** Every demo document as an HTML page that needs no other file but the font. */
export async function composeBooks(): Promise<Book[]> {
  const [{ documents, lists, teachers }, words, css] = await Promise.all([
    readDemoShop(),
    readWords(),
    readFile(join(import.meta.dirname, 'book.css'), 'utf8'),
  ])
  return Promise.all(
    documents.map(async (document) => {
      const topics = await Promise.all(
        document.contents.map(async ({ topic: name, series }) => {
          const topic = await readTopic(name)
          const questions = topic.series[series - 1]
          if (!questions) throw new RangeError(`${name} has no series ${series}`)
          return { ...topic, questions }
        }),
      )
      const language = topics[0]?.language ?? 'ar'
      const teacher = entryOf(teachers, 'id', document.teacher)
      const html = page(document, {
        language,
        css,
        lists,
        teacher: `${teacher.firstName} ${teacher.lastName}`,
        shop: words[language].shop,
        body: LAYOUTS[document.category]?.(topics, words[language], language) ?? '',
      })
      return {
        id: document.id,
        html,
        source: createHash('sha256').update(html).digest('base64url'),
      }
    }),
  )
}

interface Around {
  language: Language
  css: string
  lists: SchoolLists
  teacher: string
  shop: string
  body: string
}

function page(document: DemoDocument, around: Around): string {
  const { language, lists } = around
  const nameIn = ({ names }: SchoolLists['categories'][number]) => names[language] ?? names.fr
  const subject = entryOf(lists.subjects, 'code', document.subject)
  const title = escapeHtml(document.title)
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<meta charset="utf-8">
<meta name="author" content="${escapeHtml(around.teacher)}">
<title>${title}</title>
<style>
${around.css}
:root { --color: ${subject.color} }
${runningHead(document.title, direction)}
</style>
<header>
<div class="label">
<h1 dir="auto">${prose(document.title)}</h1>
<p dir="auto">${escapeHtml(nameIn(subject))}</p>
<p dir="auto">${escapeHtml(nameIn(entryOf(lists.classes, 'code', document.schoolClass)))}</p>
</div>
<p class="category">${escapeHtml(nameIn(entryOf(lists.categories, 'code', document.category)))}</p>
<p class="teacher" dir="auto">${escapeHtml(around.teacher)}</p>
<p class="shop">${escapeHtml(around.shop)}</p>
</header>
<main>
${around.body}
</main>
</html>
`
}

/** The red line of an exercise book, and the title above every page except the cover. */
function runningHead(title: string, direction: 'rtl' | 'ltr'): string {
  const start = direction === 'rtl' ? 'right' : 'left'
  const titleDirection = /^[^\p{L}]*\p{Script=Arabic}/u.test(title) ? 'rtl' : 'ltr'
  const beside = [`top-${start}-corner`, `${start}-middle`, `bottom-${start}-corner`]
  return `@page {
  @top-center {
    content: ${JSON.stringify(title)};
    direction: ${titleDirection};
    text-align: ${start};
  }
  ${beside.map((box) => `@${box} { content: ""; margin-${start}: 46pt; border-${start}: 0.9pt solid #d6455d }`).join('\n  ')}
}
@page cover {
  ${['top-center', ...beside].map((box) => `@${box} { content: none }`).join('\n  ')}
}`
}
