/**
 * Fails if a dependency is used other than by its documented interface: if its text is changed or one
 * of its files is replaced by another. Checks this project, or the one in the named folder:
 * `node scripts/check-dependencies.ts [folder]`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What only code that changes a dependency contains, and where it is looked for. */
const CHANGES: readonly { in: RegExp; pattern: RegExp; problem: string }[] = [
  {
    in: /./,
    pattern: /\.hooks(\.\w|\[|\?\.)/g,
    problem: 'takes over a hook of another integration',
  },
  {
    in: /^astro\.config\.mjs$|\/publishing\/build\//,
    pattern: /\b(transform|renderChunk|transformIndexHtml)\s*[(:]/g,
    problem: 'changes the text of modules',
  },
  {
    in: /^astro\.config\.mjs$|\/publishing\/build\//,
    pattern: /\balias\s*:/g,
    problem: 'puts one module in the place of another',
  },
]

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'))
const readFile = (file: string) => readFileSync(path.join(root, file), 'utf8')
const project = JSON.parse(readFile('package.json'))
const packages = Object.keys({ ...project.dependencies, ...project.devDependencies })

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\brequire(?:\.resolve)?\()\s*'([\w@][^':]*)'/g
/** A path to a file of a package, such as `/astro/dist/runtime/…`. */
const INSIDE = new RegExp(
  `/(?:${packages.map(RegExp.escape).join('|')})/(?:dist|lib|src|build|cjs|esm\\d?|runtime)\\b`,
  'g',
)

/** Why an import does not name a documented entry of a package; '' if it does. */
function importProblem(specifier: string): string {
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  const manifest = path.join('node_modules', name, 'package.json')
  if (specifier === name || !packages.includes(name) || !existsSync(path.join(root, manifest))) {
    return ''
  }
  const entry = `.${specifier.slice(name.length)}`
  // An entry with a `*` opens a folder to Node.js; it does not document each file in it.
  const isEntry = Object.hasOwn(JSON.parse(readFile(manifest)).exports ?? {}, entry)
  return isEntry ? '' : `imports ${specifier}, which is no entry of ${name}`
}

function problemsIn(file: string): string[] {
  const text = readFile(file)
  const problems = [...text.matchAll(IMPORT)].map(([, specifier = '']) => importProblem(specifier))
  problems.push(...[...text.matchAll(INSIDE)].map(([inside]) => `names the file ${inside}`))
  for (const { in: where, pattern, problem } of CHANGES) {
    if (where.test(file)) problems.push(...[...text.matchAll(pattern)].map(() => problem))
  }
  return problems.filter(Boolean).map((problem) => `${file}: ${problem}`)
}

/** Ways to change what was installed. */
const installing = [
  ...['preinstall', 'install', 'postinstall', 'prepare']
    .filter((name) => name in project.scripts)
    .map((name) => `package.json: the script ${name} may change dependencies`),
  ...(project.overrides ? ['package.json: overrides dependencies of dependencies'] : []),
  ...(existsSync(path.join(root, 'patches')) ? ['patches: changes dependencies'] : []),
]

const sources = globSync(['astro.config.mjs', 'src/**/*.{ts,tsx,astro}'], { cwd: root })
const faults = [...sources.sort().flatMap(problemsIn), ...installing]
console.log(faults.join('\n') || `${packages.length} dependencies are used as documented.`)
process.exit(faults.length === 0 ? 0 : 1)
