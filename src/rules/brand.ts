import { type InEachLanguage, LANGUAGES } from './languages.ts'
import { pictureVersion } from './pictures.ts'

export interface Brand {
  readonly name: InEachLanguage
  readonly slogan: InEachLanguage
  /** The file name of an uploaded logo, which says its size; '' for none. */
  readonly logo: string
  /** `#rrggbb`; '' for the colour of the style sheets. */
  readonly accent: string
  readonly credit: { readonly name: string; readonly url: string }
}

/** The name that is written in ASCII or, where there is none, in Latin letters; '' for neither. */
export function latinName({ name }: Pick<Brand, 'name'>): string {
  const names = [name.en, name.fr, name.ar]
  return (
    names.find((one) => /^[\x20-\x7e]+$/.test(one)) ??
    names.find((one) => /^[\x20-\x7e\xa1-\xff]+$/.test(one)) ??
    ''
  )
}

/** Before the references of a shop without a Latin name. */
const FIRST_PREFIX = 'KR'

/**
 * The two letters before the references of transfers: the first letter of the shop's Latin name and
 * its next consonant, or else its next letter.
 */
export function referencePrefix(brand: Pick<Brand, 'name'>): string {
  const plain = latinName(brand).normalize('NFD').toUpperCase()
  const [first, ...rest] = plain.replace(/[^A-Z]/g, '')
  if (!first) return FIRST_PREFIX
  return first + (rest.find((letter) => !'AEIOUY'.includes(letter)) ?? rest[0] ?? first)
}

/** In characters: a longer name does not fit beside the menu of a phone. */
export const SHOP_NAME_MAX_LENGTH = 30

/** The most bytes of an uploaded logo. */
export const LOGO_MAX_BYTES = 256 * 1024

/** A logo is drawn anew to fit into this, in pixels: three times its height in the header. */
export const LOGO_BOX = { width: 960, height: 120 }

const LOGO = /^[\da-f]{16}-([1-9]\d{0,3})x([1-9]\d{0,3})\.(svg|png)$/

/** The size, in pixels, and type of a logo by its file name; null for another text. */
export function readLogoName(
  name: string,
): { width: number; height: number; type: 'svg' | 'png' } | null {
  const [, width, height, type] = LOGO.exec(name) ?? []
  if (!type) return null
  return { width: Number(width), height: Number(height), type: type as 'svg' | 'png' }
}

/** Text in the accent colour, and on it, has at least this contrast (WCAG 2.2 AA). */
export const CONTRAST_MIN = 4.5

/** The surfaces of `styles/tokens.css` on which links are, and the text on buttons. */
export const SCHEMES = {
  light: { surfaces: ['#fdfcf8', '#ffffff', '#f5f2ea'], onPen: '#ffffff', towards: '#000000' },
  dark: { surfaces: ['#14171f', '#1c212c', '#0f1218'], onPen: '#14171f', towards: '#ffffff' },
} as const
type Scheme = keyof typeof SCHEMES

/** The colours of links and main buttons in one scheme. */
interface Pen {
  readonly pen: string
  readonly hover: string
}

/** The pen of the style sheets, for mails and pictures of a shop without an accent of its own. */
export const FIRST_PEN = '#2440a8'

/** The colour of mails and pictures, whose paper is light. */
export const penOf = ({ accent }: Pick<Brand, 'accent'>): string =>
  accent === '' ? FIRST_PEN : pensOf(accent).light.pen

export const isColour = (text: string): boolean => /^#[\da-f]{6}$/.test(text)

/**
 * An accent as each scheme can show it: where it lacks contrast, it is darkened for the light
 * scheme and lightened for the dark one, as little as is needed.
 */
export function pensOf(accent: string): Readonly<Record<Scheme, Pen>> {
  return { light: penIn('light', accent), dark: penIn('dark', accent) }
}

function penIn(scheme: Scheme, accent: string): Pen {
  const { surfaces, onPen, towards } = SCHEMES[scheme]
  const isReadable = (pen: string) =>
    [...surfaces, onPen].every((other) => contrast(pen, other) >= CONTRAST_MIN)
  for (let share = 0; share < 1; share += 0.02) {
    const pen = mixed(accent, towards, share)
    if (isReadable(pen)) return { pen, hover: mixed(pen, towards, 0.25) }
  }
  return { pen: towards, hover: towards }
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function mixed(colour: string, other: string, share: number): string {
  const others = channels(other)
  const parts = channels(colour).map((value, at) =>
    Math.round(value + ((others[at] ?? 0) - value) * share),
  )
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 1, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function accentCss(accent: string): string {
  const { light, dark } = pensOf(accent)
  const rule = ({ pen, hover }: Pen) => `:root:root{--pen:${pen};--pen-hover:${hover}}`
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`
}

/** The address of that style sheet; its content depends on the colour alone. */
export const accentAddress = (accent: string): string => `/media/brand/${accent.slice(1)}.css`

export const logoAddress = (logo: string): string => `/media/brand/${logo}`

/** The sizes of the shop's icon, in pixels, by name; the maskable one has a wide margin. */
export const ICONS = { '64': 64, '192': 192, '512': 512, 'maskable-512': 512 } as const
export type IconName = keyof typeof ICONS

export function haveSameIcons(one: Brand, other: Brand): boolean {
  const isSameName = LANGUAGES.every((each) => one.name[each] === other.name[each])
  return isSameName && one.logo === other.logo && one.accent === other.accent
}

/** The address of an icon of a shop with a brand of its own. */
export const iconAddress = (brand: Brand, icon: IconName): string =>
  `/media/brand/icon-${icon}.png?v=${brandVersion(brand)}`

/** The address of the picture that stands for a page of the shop where it is shared. */
export const sharedAddress = (brand: Brand, page: 'home' | 'shop', language: string): string =>
  `/media/og/${page}-${language}.png?v=${brandVersion(brand)}`

const brandVersion = ({ name, slogan, logo, accent }: Brand): string =>
  pictureVersion([name, slogan, logo, accent])
