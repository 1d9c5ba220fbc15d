import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { DEFAULT_LANGUAGE, inEachLanguage, type Language } from '../../rules/languages.ts'
import {
  type ItemWords,
  PAGE_PARTS,
  type PageTexts,
  type PageWords,
  SITE_PAGES,
  type SitePageName,
} from '../../rules/site-pages.ts'

/**
 * The directory of the pages' first versions: Markdown files with a head, one for each page and
 * language, and one for each question.
 */
const CONTENT = new URL('../../content/', import.meta.url)

interface Person {
  firstName: string
  lastName: string
  role: string
  text: string
}

/** The fields at the head of a file. */
interface Head {
  title: string
  description: string
  lead: string
  people?: readonly Person[]
  question: string
}

function readFile(path: string): { head: Head; text: string } {
  const content = readFileSync(new URL(path, CONTENT), 'utf8')
  const [, head, text] = /^---\n(.*?)\n---\n?(.*)$/s.exec(content) ?? []
  if (head === undefined || text === undefined) throw new Error(`src/content/${path} has no head`)
  return { head: parse(head), text: text.trim() }
}

function wordsOf(name: SitePageName, language: Language): PageWords {
  const { head, text } = readFile(`${language}/${name}.md`)
  const { title, description, lead } = head
  return { title, description, lead, text }
}

function itemsOf(name: SitePageName, language: Language): ItemWords[] {
  const { items } = PAGE_PARTS[name]
  if (items === 'people') {
    const { people = [] } = readFile(`${language}/${name}.md`).head
    return people.map(({ firstName, lastName, role, text }) => {
      return { title: `${firstName} ${lastName}`, note: role, text }
    })
  }
  if (items !== 'questions') return []
  const files = readdirSync(new URL(`${language}/${name}/`, CONTENT)).sort()
  return files.map((file) => {
    const { head, text } = readFile(`${language}/${name}/${file}`)
    return { title: head.question, note: '', text }
  })
}

function readPage(name: SitePageName): PageTexts {
  const items = inEachLanguage((each) => itemsOf(name, each))
  const words = inEachLanguage((each) => wordsOf(name, each))
  return {
    ...words,
    items: items[DEFAULT_LANGUAGE].map((_, at) => {
      const item = inEachLanguage((each) => {
        const words = items[each][at]
        if (!words) throw new Error(`src/content/${each}: ${name} lists less than in the others`)
        return words
      })
      return { id: at + 1, ...item }
    }),
  }
}

let pages: Readonly<Record<SitePageName, PageTexts>> | undefined

/** The first version of a page; the files are read once. */
export function firstPage(name: SitePageName): PageTexts {
  pages ??= Object.fromEntries(SITE_PAGES.map((each) => [each, readPage(each)])) as Record<
    SitePageName,
    PageTexts
  >
  return pages[name]
}
