import { describe, expect, test } from 'vitest'
import { read } from './source.ts'

type Tokens = Map<string, string>

const css = read('src/styles/tokens.css')

function colours(block: string): Tokens {
  const found = [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)]
  return new Map(found.map(([, name = '', value = '']) => [name, value]))
}

const light = colours(/:root \{([\s\S]*?)\n\}/.exec(css)?.[1] ?? '')
const darker = colours(/prefers-color-scheme: dark\) \{([\s\S]*?)\n {2}\}/.exec(css)?.[1] ?? '')
const schemes = { light, dark: new Map([...light, ...darker]) }

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

const SURFACES = ['paper', 'raised', 'sunken']
const READ = ['ink', 'soft', 'pen', 'pen-hover', 'wallet', 'sale']

describe.each(Object.entries(schemes))('contrast in the %s scheme', (_, tokens) => {
  const of = (name: string) => {
    const value = tokens.get(name)
    if (!value) throw new Error(`tokens.css has no colour --${name}`)
    return value
  }

  test.each(SURFACES.flatMap((surface) => READ.map((text) => [text, surface] as const)))(
    'text in %s on %s is at least 4.5:1',
    (text, surface) => {
      expect(contrast(of(text), of(surface))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each([
    ['on-pen', 'pen'],
    ['on-pen', 'pen-hover'],
    ['on-marker', 'marker'],
    ['label-ink', 'label'],
    ['ink', 'marked'],
  ])('text in %s on %s is at least 4.5:1', (text, surface) => {
    expect(contrast(of(text), of(surface))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(SURFACES)('faint, for borders and large text, on %s is at least 3:1', (surface) => {
    expect(contrast(of('faint'), of(surface))).toBeGreaterThanOrEqual(3)
  })
})

const spines = read('src/components/home/home.css').matchAll(/--spine: var\(--([\w-]+)\)/g)

test.each([...spines].map(([, name = '']) => name))(
  'text on a spine of %s is at least 4.5:1',
  (name) => {
    expect(contrast(light.get('on-cloth') ?? '', light.get(name) ?? '')).toBeGreaterThanOrEqual(4.5)
  },
)

test('the browser chrome around a page has the colour of its paper', () => {
  const themes = read('src/layouts/Essentials.astro').matchAll(
    /color-scheme: (\w+)\)" content="(#\w+)"/g,
  )
  expect(new Map([...themes].map(([, scheme = '', colour = '']) => [scheme, colour]))).toEqual(
    new Map(Object.entries(schemes).map(([scheme, tokens]) => [scheme, tokens.get('paper')])),
  )
})
