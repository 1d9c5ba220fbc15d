import { markdownToMdast } from 'satteri'
import type { Block, Inline } from '../../contract/site.ts'

/**
 * The features of Astro's own pages: typographic quotes and dashes. Extensions such as tables are
 * off.
 */
const FEATURES = { gfm: false, frontmatter: false } as const

/** The signs that the parser replaces by typographic ones. */
const REPLACED = /["']|--|\.\./g
/**
 * How many of them are replaced, since this takes a time that grows with the square of their
 * number; in a text with more, which no page has, all stay as they were typed.
 */
const REPLACED_MAX = 1000

/** How deep lists and quotes may be nested. */
const DEEPEST = 6
/** The marks of lists and quotes at the beginning of a line. */
const MARKS = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/gm

/** How many links a text may have; the parser looks for the end of each `[` in the whole text. */
const LINKS_MAX = 1000

/** The part of a node of the parser's tree that is read here. */
interface Node {
  type: string
  children?: readonly Node[]
  value?: string
  url?: string
  depth?: number
  ordered?: boolean
  start?: number | null
  spread?: boolean
}

/**
 * Why a text is refused: HTML, a picture, a link that may be harmful or far too many links, or lists
 * nested too deep.
 */
export type MarkdownProblem = 'html' | 'picture' | 'link' | 'deep'

/**
 * Parses Markdown into blocks. HTML, pictures and harmful links are left out and listed in
 * `problems`.
 */
export function readMarkdown(markdown: string): { blocks: Block[]; problems: MarkdownProblem[] } {
  // Parsing a line that begins with thousands of marks takes long.
  const isTooDeep = markdown.match(MARKS)?.some((marks) => countOf(marks, /[^\d\s]/g) > DEEPEST)
  if (isTooDeep) return { blocks: [], problems: ['deep'] }
  const problems = new Set<MarkdownProblem>()
  if (countOf(markdown, /\[/g) > LINKS_MAX) return { blocks: [], problems: ['link'] }
  const smartPunctuation = countOf(markdown, REPLACED) <= REPLACED_MAX
  const tree = markdownToMdast(markdown, {
    features: { ...FEATURES, smartPunctuation },
  }) as unknown as Node
  const slugs = new Map<string, number>()

  function blocks(nodes: readonly Node[] = [], depth = 0): Block[] {
    if (depth > DEEPEST) {
      problems.add('deep')
      return []
    }
    return nodes.flatMap((node): Block[] => {
      const { children = [] } = node
      switch (node.type) {
        case 'heading':
          // The page's title is the heading of level 1.
          return [
            {
              kind: 'heading',
              level: Math.min(Math.max(node.depth ?? 2, 2), 4),
              id: slugOf(textOfNode(node)),
              children: inlines(children),
            },
          ]
        case 'paragraph':
          return [{ kind: 'paragraph', children: inlines(children) }]
        case 'list': {
          const items = children.map((item) => blocks(item.children, depth + 1))
          const isTight = !children.some(({ spread }) => spread) && !node.spread
          const { ordered: isOrdered = false, start } = node
          return [{ kind: 'list', isOrdered, start: start ?? 1, isTight, items }]
        }
        case 'blockquote':
          return [{ kind: 'quote', blocks: blocks(children, depth + 1) }]
        case 'code':
          return [{ kind: 'code', text: node.value ?? '' }]
        case 'thematicBreak':
          return [{ kind: 'rule' }]
        case 'html':
          problems.add('html')
          return []
        default:
          return []
      }
    })
  }

  function inlines(nodes: readonly Node[], depth = 0): Inline[] {
    // Emphasis that is nested deeper than this becomes plain text.
    if (depth > DEEPEST) return [{ kind: 'text', text: nodes.map(textOfNode).join('') }]
    return nodes.flatMap((node): Inline[] => {
      const inner = () => inlines(node.children ?? [], depth + 1)
      switch (node.type) {
        case 'text':
          return [{ kind: 'text', text: node.value ?? '' }]
        case 'inlineCode':
          return [{ kind: 'code', text: node.value ?? '' }]
        case 'strong':
          return [{ kind: 'strong', children: inner() }]
        case 'emphasis':
          return [{ kind: 'em', children: inner() }]
        case 'break':
          return [{ kind: 'break' }]
        case 'link':
          if (isHarmless(node.url ?? '')) {
            return [{ kind: 'link', href: node.url ?? '', children: inner() }]
          }
          problems.add('link')
          return inner()
        case 'linkReference':
          problems.add('link')
          return inner()
        case 'html':
          problems.add('html')
          return []
        case 'image':
        case 'imageReference':
          problems.add('picture')
          return []
        default:
          return []
      }
    })
  }

  /** The anchor of a heading, in the form that Astro's pages use. */
  function slugOf(text: string): string {
    const plain = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    const slug = plain.replaceAll(' ', '-')
    const count = slugs.get(slug) ?? 0
    slugs.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }

  return { blocks: blocks(tree.children), problems: [...problems] }
}

const countOf = (text: string, expression: RegExp): number => text.match(expression)?.length ?? 0

const SCHEMES = ['https:', 'mailto:', 'tel:']

/**
 * Whether a link leads to a page or place of this shop, or to an address that a browser opens
 * safely.
 */
function isHarmless(href: string): boolean {
  if (/[\p{Cc}\s\\]/u.test(href) || href.startsWith('//')) return false
  if (href.startsWith('/') || href.startsWith('#')) return true
  return URL.canParse(href) && SCHEMES.includes(new URL(href).protocol)
}

function textOfNode(node: Node): string {
  const pieces: string[] = []
  const collect = ({ type, value, children = [] }: Node): void => {
    if (type === 'html') return
    if (value === undefined) children.forEach(collect)
    else pieces.push(value)
  }
  collect(node)
  return pieces.join('')
}
