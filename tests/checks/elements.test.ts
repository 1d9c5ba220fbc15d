import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'
import { importsOfFiles } from './source-graph.ts'

const components = sourceFiles(/^src\/components\/.*\.astro$/)
const scripts = sourceFiles(/^src\/components\/.*\.ts$/)
const markup = sourceFiles(/^src\/(components|layouts|pages)\/.*\.astro$/)

const DEFINED = /customElements\.define\('([a-z]+-[a-z-]+)'/g
const namesIn = (text: string) => [...text.matchAll(DEFINED)].map(([, name = '']) => name)

/** `shop/LiveShop.astro` → `shop/live-shop.ts`. */
function scriptBeside(file: string): string {
  const name = path.basename(file, '.astro').replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
  return path.join(path.dirname(file), `${name.toLowerCase()}.ts`)
}

/** What a component's elements do: its own script, and the file of the same name. */
function behaviourOf(file: string): string {
  const beside = scriptBeside(file)
  return read(file) + (scripts.includes(beside) ? read(beside) : '')
}

describe('behaviour is beside its markup', () => {
  test('each custom element is defined in its component, or in the file of the same name', () => {
    const lost = markup.flatMap((file) => {
      const defined = namesIn(behaviourOf(file))
      const used = [...read(file).matchAll(/<([a-z]+-[a-z-]+)/g)].map(([, name = '']) => name)
      return used.filter((name) => !defined.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(lost).toEqual([])
    const withoutMarkup = scripts.flatMap((file) => {
      const component = components.find((each) => scriptBeside(each) === file)
      const text = component ? read(component) : ''
      return namesIn(read(file)).filter((name) => !text.includes(name))
    })
    expect(withoutMarkup).toEqual([])
  })

  test('each page with controls of documents has their models', () => {
    const graph = importsOfFiles()
    const reached = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen
      seen.add(file)
      for (const target of graph.get(file) ?? []) reached(target, seen)
      return seen
    }
    const wrong = sourceFiles(/^src\/pages\/.*\.astro$/).filter(
      (file) =>
        reached(file).has('src/components/AddToCart.astro') !==
        /<Page\b[^>]*\shasDocuments\b/.test(read(file)),
    )
    expect(wrong).toEqual([])
  })

  test('no script but an element’s works on the markup of a component', () => {
    const WORKS = /document\.(querySelector|addEventListener|createElement)|[^.]addEventListener\(/
    /** The library of a slider, which `<card-slider>` loads. */
    const LOADED = ['src/components/home/enhance-slider.ts']
    const loose = [...scripts, ...markup].filter((file) => {
      const text = read(file)
      const code = file.endsWith('.ts')
        ? text
        : [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join()
      return WORKS.test(code) && namesIn(behaviourOf(file)).length === 0 && !namesIn(code).length
    })
    expect(loose.filter((file) => !LOADED.includes(file))).toEqual([])
  })
})
