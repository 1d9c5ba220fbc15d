import { median } from '../support/quantiles.ts'
import { type Judgement, openLighthouse } from './support/lighthouse.ts'
import type { Bench, Row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'
import { twinOf } from './support/twin.ts'

const PAGES = [
  { name: 'home', path: '/' },
  { name: 'shop', path: '/shop' },
  { name: 'details', path: '/shop-details/3' },
  { name: 'teacher', path: '/teacher-details/2' },
] as const
const LANGUAGES = [
  { name: 'Arabic', prefix: '' },
  { name: 'French', prefix: '/fr' },
] as const
/** The benchmark index from which on the score of 100 is promised. */
const QUIET_INDEX = 2000

/** Lighthouse's audits of pages on a phone, beside the same pages without scripts and fonts. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  return judgePages(bench, url, PAGES, LANGUAGES)
}

/** The same for some pages of an open shop. */
export async function judgePages(
  bench: Bench,
  url: string,
  pages: readonly { name: string; path: string }[],
  languages: readonly { name: string; prefix: string }[],
): Promise<Row[]> {
  const twin = await twinOf(url)
  bench.onEnd(() => twin.close())
  const judge = await openLighthouse(bench)
  const found: Row[] = []
  for (const page of pages) {
    for (const language of languages) {
      const path = language.prefix + (page.path === '/' && language.prefix ? '' : page.path)
      await warmUpPages(url, [path])
      const taken: Record<'normal' | 'half' | 'bare', Judgement>[] = []
      for (let n = 0; n < bench.rounds; n++) {
        const judged = await judge(url + path)
        taken.push({ ...judged, bare: (await judge(twin.url + path)).normal })
      }
      const of = (which: 'normal' | 'half' | 'bare', key: keyof Judgement) =>
        median(taken.map((one) => one[which][key]))
      const what = (words: string) => `${page.name}, ${language.name}: ${words}`
      const index = Math.round(of('normal', 'index'))
      const seconds = (key: 'fcp' | 'lcp') =>
        `${(of('normal', key) / 1000).toFixed(2)} s beside ${(of('bare', key) / 1000).toFixed(2)} s`
      found.push(
        {
          id: 'P3',
          what: what('score'),
          value: of('normal', 'score'),
          unit: '',
          least: 100,
          note: `index ${index}${index < QUIET_INDEX ? `, promised for ${QUIET_INDEX} and above` : ''}; twin ${of('bare', 'score')}`,
        },
        {
          id: 'P3',
          what: what('score at half the speed'),
          value: of('half', 'score'),
          unit: '',
          least: 97,
        },
        ...(['fcp', 'lcp'] as const).map((key) => ({
          id: 'P3',
          what: what(`${key.toUpperCase()} beside the twin`),
          value: of('normal', key) / of('bare', key),
          unit: '×',
          most: 1.1,
          note: seconds(key),
        })),
        {
          id: 'P3',
          what: what('TBT over the twin'),
          value: of('normal', 'tbt') - of('bare', 'tbt'),
          unit: 'ms',
          most: 30,
          note: `${Math.round(of('normal', 'tbt'))} ms beside ${Math.round(of('bare', 'tbt'))} ms`,
        },
        { id: 'P3', what: what('CLS'), value: of('normal', 'cls'), unit: '', most: 0.01 },
      )
    }
  }
  return found
}
