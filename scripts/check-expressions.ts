/**
 * Fails if a regular expression of `src` may take a time that grows faster than the text that it
 * meets (also only with its square), or if this is not known. Names another folder to check it
 * instead: `node scripts/check-expressions.ts tests/support`.
 *
 * recheck proves that an expression is linear by its automaton. It does not know that all matches
 * of a text (`g`) may together take longer than one; tests/rules/growth.test.ts measures that.
 */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { check, type Parameters } from 'recheck'
import recheckPackage from 'recheck/package.json' with { type: 'json' }
import ts from 'typescript'

/** Files whose expressions meet no text from outside, or are built only when they are used. */
const EXEMPT: readonly { readonly under: string; readonly because: string }[] = [
  { under: 'src/server/publishing/build/', because: 'they meet names of our own modules' },
  {
    under: 'src/server/publishing/serving/static-files.ts',
    because: 'they meet our own pages',
  },
  {
    under: 'src/server/search-engines/share-picture.ts',
    because: 'they meet our own style sheets',
  },
]

/**
 * Counted repetitions do not keep recheck from a proof, and what it finds does not depend on the
 * machine's speed.
 */
const PARAMETERS: Parameters = {
  maxRepeatCount: 2000,
  attackTimeout: null,
  incubationTimeout: null,
  timeout: 60_000,
}

const ROOT = path.resolve(import.meta.dirname, '..')
const CACHE = path.join(ROOT, 'node_modules/.cache/karras-expressions.json')

/** An expression in a file, or what keeps it from being known. */
interface Expression {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
  readonly problem?: string
}

/** The expressions written in a file, and the lines on which it builds others. */
function writtenIn(file: string): { written: Expression[]; built: number[] } {
  const written = new Map<string, Expression>()
  const built = new Set<number>()
  for (const { text, kind } of codeOf(file)) {
    const code = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
    const visit = (node: ts.Node): void => {
      const line = code.getLineAndCharacterOfPosition(node.getStart()).line + 1
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
        written.set(`${line} ${node.text}`, { file, line, source, flags })
      }
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
      if (isCall && node.expression.getText() === 'RegExp') built.add(line)
      ts.forEachChild(node, visit)
    }
    visit(code)
  }
  return { written: [...written.values()], built: [...built] }
}

/** The code of a file; of an Astro component its script, its template and its inline scripts. */
function codeOf(file: string): { text: string; kind: ts.ScriptKind }[] {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.astro')) {
    return [{ text, kind: file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS }]
  }
  const [, script = ''] = /^---\n(.*?)^---$/ms.exec(text) ?? []
  const template = text.slice(script === '' ? 0 : script.length + '---\n---'.length)
  const inline = [...template.matchAll(/(<script[^>]*>)(.*?)<\/script>/gs)]
  // Everything else becomes blank, so that each line keeps its number.
  const at = (start: number, code: string) => text.slice(0, start).replace(/[^\n]/g, ' ') + code
  return [
    { text: at('---\n'.length, script), kind: ts.ScriptKind.TS },
    { text: at(text.length - template.length, template), kind: ts.ScriptKind.TSX },
    ...inline.map(({ 1: tag = '', 2: code = '', index }) => ({
      text: at(text.length - template.length + index + tag.length, code),
      kind: ts.ScriptKind.TS,
    })),
  ]
}

/**
 * The expressions that files build while they are loaded, by file and line: each file is loaded
 * with a constructor that notes them.
 */
async function builtIn(files: readonly string[]): Promise<Map<string, Expression[]>> {
  const noted = new Map<string, Expression[]>()
  const { RegExp: Original } = globalThis
  const note = (made: RegExp): RegExp => {
    for (const [, url = '', line] of new Error().stack?.matchAll(/(file:[^\s()]+):(\d+):\d+/g) ??
      []) {
      const file = files.find((each) => path.resolve(each) === fileURLToPath(url))
      if (!file) continue
      const place = `${file}:${line}`
      const { source, flags } = made
      noted.set(place, [...(noted.get(place) ?? []), { file, line: Number(line), source, flags }])
      break
    }
    return made
  }
  globalThis.RegExp = new Proxy(Original, {
    construct: (_, [source, flags]) => note(new Original(source, flags)),
    apply: (_, _this, [source, flags]) => note(Original(source, flags)),
  })
  try {
    for (const file of files) await import(pathToFileURL(path.resolve(file)).href)
  } finally {
    globalThis.RegExp = Original
  }
  return noted
}

async function expressionsOf(folder: string): Promise<Expression[]> {
  const isExempt = (file: string) => EXEMPT.some(({ under }) => file.startsWith(under))
  const files = globSync(`${folder}/**/*.{ts,tsx,astro}`).filter((file) => !isExempt(file))
  const found = files.sort().map((file) => ({ file, ...writtenIn(file) }))
  const builders = found.filter(({ file, built }) => built.length > 0 && file.endsWith('.ts'))
  const noted = await builtIn(builders.map(({ file }) => file))
  const problem = 'is built where this check cannot see it: build it while a .ts file is loaded'
  return found.flatMap(({ file, written, built }) => [
    ...written,
    ...built.flatMap(
      (line) =>
        noted.get(`${file}:${line}`) ?? [{ file, line, source: 'RegExp', flags: '', problem }],
    ),
  ])
}

/** Whether an expression can only match texts of limited length, which limits its time as well. */
const isBounded = (source: string): boolean =>
  !/[*+]|\{\d+,\}/.test(source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, ''))

/** Why an expression may not be linear; '' if it is. */
async function problemOf(source: string, flags: string): Promise<string> {
  const found = await check(source, flags, PARAMETERS)
  if (found.status === 'unknown') return `is not understood (${JSON.stringify(found.error)})`
  if (found.status === 'vulnerable') {
    return `takes ${found.complexity.summary} time for ${found.attack.pattern}`
  }
  // Without its automaton, recheck only tries texts.
  return found.checker === 'automaton' || isBounded(source) ? '' : 'is not proven to be linear'
}

type Verdicts = Record<string, string>

/** The verdicts on expressions; those of the last run are taken from the cache. */
async function verdictsOn(expressions: readonly Expression[]): Promise<Verdicts> {
  const version = `${recheckPackage.version} ${JSON.stringify(PARAMETERS)} 1`
  const cache = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
  const known: Verdicts = cache.version === version ? cache.verdicts : {}
  const verdicts: Verdicts = {}
  const left = new Map(expressions.map((each) => [keyOf(each), each]))
  const work = async () => {
    for (const [key, { source, flags }] of left) {
      left.delete(key)
      verdicts[key] = known[key] ?? (await problemOf(source, flags))
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work))
  mkdirSync(path.dirname(CACHE), { recursive: true })
  // Renamed, because another check may read it at the same time.
  const written = `${CACHE}.${process.pid}`
  writeFileSync(written, JSON.stringify({ version, verdicts: { ...known, ...verdicts } }))
  renameSync(written, CACHE)
  return verdicts
}

const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags}`

const folder = process.argv[2] ?? 'src'
const expressions = await expressionsOf(folder)
const verdicts = await verdictsOn(expressions.filter(({ problem }) => !problem))
const failures = expressions.flatMap((each) => {
  const problem = each.problem ?? verdicts[keyOf(each)]
  return problem ? `${each.file}:${each.line}: ${keyOf(each)} ${problem}` : []
})
console.log(failures.join('\n') || `${expressions.length} regular expressions are linear.`)
process.exit(failures.length === 0 ? 0 : 1)
