/**
 * Draws the portraits of the demo shop's teachers, who are not real people: flat figures on squared
 * paper, like paper cut-outs. `npm run demo:portraits` writes them beside the demo data; the
 * results are committed.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { DEMO_DATA } from '../src/server/demo/demo-data.ts'

/** The side of a portrait, in pixels: the largest size that the shop serves. */
const SIDE = 640

interface Figure {
  paper: string
  skin: string
  coat: string
  collar: string
  hair: string
  head: 'scarf' | 'short' | 'bob' | 'bun' | 'curls'
  extra?: 'glasses' | 'beard' | 'moustache'
}

/** By the teachers' ids. Two teachers have no portrait: the shop draws their initials. */
const FIGURES: Readonly<Record<number, Figure>> = {
  1: {
    paper: '#dfe5fb',
    skin: '#e3b48f',
    coat: '#2440a8',
    collar: '#ffffff',
    hair: '#d6455d',
    head: 'scarf',
  },
  3: {
    paper: '#fbe1e4',
    skin: '#edc3a0',
    coat: '#7d2440',
    collar: '#fdf2dc',
    hair: '#4a2c20',
    head: 'bob',
    extra: 'glasses',
  },
  4: {
    paper: '#e6e3f6',
    skin: '#d19f77',
    coat: '#37405e',
    collar: '#ffffff',
    hair: '#23201f',
    head: 'short',
    extra: 'beard',
  },
  5: {
    paper: '#dcefe4',
    skin: '#dca982',
    coat: '#13694c',
    collar: '#f5f2ea',
    hair: '#f0c85a',
    head: 'scarf',
  },
  6: {
    paper: '#e9e2f4',
    skin: '#c58f66',
    coat: '#5b3f8f',
    collar: '#ffffff',
    hair: '#2b2320',
    head: 'curls',
    extra: 'glasses',
  },
  7: {
    paper: '#fdeccf',
    skin: '#e6b993',
    coat: '#a8552a',
    collar: '#fff7e6',
    hair: '#3d6f73',
    head: 'scarf',
    extra: 'glasses',
  },
  8: {
    paper: '#f6e0cf',
    skin: '#d8a67f',
    coat: '#6b5136',
    collar: '#ffffff',
    hair: '#b9b5ad',
    head: 'short',
    extra: 'moustache',
  },
  10: {
    paper: '#f8dcd8',
    skin: '#e9bc99',
    coat: '#b3263f',
    collar: '#ffffff',
    hair: '#5a3522',
    head: 'bun',
  },
}

const HAIR: Readonly<Record<Figure['head'], (hair: string) => { behind: string; before: string }>> =
  {
    scarf: (hair) => ({
      behind: `<path fill="${hair}" d="M320 108c-112 0-150 84-148 190 2 92-6 150-24 212h344c-18-62-26-120-24-212 2-106-36-190-148-190z"/>`,
      before: `<path fill="${hair}" fill-rule="evenodd" d="M320 108c-112 0-150 84-148 190 1 82 62 176 148 176s147-94 148-176c2-106-36-190-148-190zm0 62c70 0 98 48 98 122 0 76-46 140-98 140s-98-64-98-140c0-74 28-122 98-122z"/><path fill="${hair}" d="M184 392c10 84 60 150 136 166 76-16 126-82 136-166-30 52-82 82-136 82s-106-30-136-82z"/><path fill="none" stroke="#000" stroke-opacity=".16" stroke-width="7" d="M204 424c28 44 68 62 116 60s88-26 112-66"/>`,
    }),
    short: (hair) => ({
      behind: '',
      before: `<path fill="${hair}" d="M214 292c-18-112 26-176 108-176 84 0 122 66 104 176-8-44-20-74-40-92-52 18-104 12-136-8-18 22-30 58-36 100z"/>`,
    }),
    curls: (hair) => ({
      behind: `<g fill="${hair}"><circle cx="226" cy="226" r="52"/><circle cx="414" cy="226" r="52"/></g>`,
      before: `<g fill="${hair}"><circle cx="240" cy="184" r="52"/><circle cx="320" cy="156" r="62"/><circle cx="400" cy="184" r="52"/></g>`,
    }),
    bob: (hair) => ({
      behind: `<path fill="${hair}" d="M320 112c-104 0-142 74-140 172 1 74-8 120-22 152h324c-14-32-23-78-22-152 2-98-36-172-140-172z"/>`,
      before: `<path fill="${hair}" d="M212 300c-12-112 34-176 108-180 78 2 120 66 108 180-14-56-44-86-92-104-30 42-84 62-124 104z"/>`,
    }),
    bun: (hair) => ({
      behind: `<circle cx="320" cy="112" r="56" fill="${hair}"/>`,
      before: `<path fill="${hair}" d="M212 296c-14-106 34-168 108-168s122 62 108 168c-12-58-52-98-108-98s-96 40-108 98z"/>`,
    }),
  }

const EXTRAS: Readonly<Record<NonNullable<Figure['extra']>, (hair: string) => string>> = {
  glasses: () =>
    `<g fill="none" stroke="#1b2440" stroke-width="9"><circle cx="276" cy="304" r="33"/><circle cx="364" cy="304" r="33"/><path d="M309 300q11-8 22 0"/></g>`,
  beard: (hair) =>
    `<path fill="${hair}" d="M218 318c2 92 46 136 102 136s100-44 102-136c-14 34-32 48-58 46-26-12-62-12-88 0-26 2-44-12-58-46z"/><path d="M294 388q26 14 52 0" fill="none" stroke="#e8c3a8" stroke-width="9" stroke-linecap="round"/>`,
  moustache: (hair) =>
    `<path fill="${hair}" d="M320 352c-22-8-46-2-58 18 22 8 44 6 58-4 14 10 36 12 58 4-12-20-36-26-58-18z"/>`,
}

function svgOf({ paper, skin, coat, collar, hair, head, extra }: Figure): string {
  const { behind, before } = HAIR[head](hair)
  const lines = Array.from({ length: 20 }, (_, at) => `M0 ${at * 32}h640M${at * 32} 0v640`).join('')
  const face = `<path fill="${skin}" d="M320 160c-72 0-106 52-106 136 0 92 50 152 106 152s106-60 106-152c0-84-34-136-106-136z"/>`
  const eyes = `<g fill="#1b2440"><circle cx="276" cy="304" r="9"/><circle cx="364" cy="304" r="9"/></g>`
  const mouth = `<path d="M290 384q30 24 60 0" fill="none" stroke="#8c3b33" stroke-width="9" stroke-linecap="round"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" width="${SIDE}" height="${SIDE}">
    <rect width="640" height="640" fill="${paper}"/>
    <path d="${lines}" stroke="#2440a8" stroke-opacity=".1" stroke-width="2"/>
    <path d="M548 0v640" stroke="#d6455d" stroke-opacity=".5" stroke-width="4"/>
    ${behind}
    <path fill="${skin}" d="M262 400h116v120H262z"/>
    <path fill="#000" fill-opacity=".12" d="M262 430c34 26 82 26 116 0v44c-40 20-80 18-116 0z"/>
    <path fill="${coat}" d="M84 640c4-104 66-150 178-166l58 60 58-60c112 16 174 62 178 166z"/>
    <path fill="${collar}" d="M262 474l-26 8 60 86 24-34zM378 474l26 8-60 86-24-34z"/>
    ${face}${eyes}${extra === 'beard' ? '' : mouth}
    <path d="M320 318q-12 34 2 38" fill="none" stroke="#000" stroke-opacity=".22" stroke-width="7" stroke-linecap="round"/>
    ${extra && extra !== 'glasses' ? EXTRAS[extra](hair) : ''}${before}${extra === 'glasses' ? EXTRAS.glasses(hair) : ''}
  </svg>`
}

const folder = join(DEMO_DATA, 'portraits')
await mkdir(folder, { recursive: true })
for (const [id, figure] of Object.entries(FIGURES)) {
  const drawn = await sharp(Buffer.from(svgOf(figure)))
    .webp({ quality: 72, effort: 6 })
    .toBuffer()
  await writeFile(join(folder, `${id}.webp`), drawn)
  console.log(`${id}.webp`, drawn.length)
}
