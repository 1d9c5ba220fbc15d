import type { Pixels } from '../../src/rules/likeness.ts'
import { type Random, randomFrom } from './random.ts'

// Made-up exams on one subject, which share their heading and their ways of asking, as real ones do.

interface Asking {
  readonly heading: string
  readonly exercise: (number: number) => string
  readonly questions: readonly ((some: Some) => string)[]
  readonly words: readonly string[]
}

interface Some {
  number(): number
  word(): string
}

const ASKINGS: readonly Asking[] = [
  {
    heading:
      'الجمهورية التونسية وزارة التربية المدرسة الإعدادية فرض مراقبة في الرياضيات السنة التاسعة الحصة ساعة الاسم واللقب القسم العدد',
    exercise: (number) => `تمرين عدد ${number}`,
    questions: [
      ({ number, word }) =>
        `احسب العبارة ${number()} + ${number()} × ${number()} ثم قارنها بعدد ${word()} التلاميذ`,
      ({ number, word }) =>
        `ارسم ${word()} طول ضلعه ${number()} صم وعيّن منتصف ${word()} المقابل له`,
      ({ number, word }) =>
        `اشترى ${word()} من السوق ${number()} كغ من ${word()} بثمن ${number()} مليما للكيلوغرام الواحد`,
      ({ number, word }) =>
        `بيّن أن ${word()} يقبل القسمة على ${number()} ثم استنتج باقي قسمة ${word()} على ${number()}`,
      ({ number, word }) =>
        `حل في مجموعة الأعداد الحقيقية المعادلة ${number()} س + ${number()} = ${word()} وفسّر ${word()}`,
      ({ number, word }) =>
        `ما هو قيس زاوية ${word()} إذا علمت أن ${word()} يساوي ${number()} درجة`,
    ],
    words:
      'مثلث مربع دائرة مستقيم حقل بستان خزان قطار تاجر فلاح معلم مهندس سيارة حديقة مكتبة شاحنة مصنع ملعب طريق نهر جبل قارب كتاب دفتر مسطرة منقلة كرة صندوق قنينة عجلة سلم جدار'.split(
        ' ',
      ),
  },
  {
    heading:
      'République Tunisienne Ministère de l’Éducation Lycée pilote Devoir de contrôle Épreuve de mathématiques Durée une heure Nom et prénom Classe Note sur vingt',
    exercise: (number) => `Exercice ${number}`,
    questions: [
      ({ number, word }) =>
        `Calculer la valeur de ${number()} + ${number()} x pour ${word()} puis comparer avec ${word()}`,
      ({ number, word }) =>
        `On considère ${word()} de côté ${number()} cm. Construire le symétrique de ${word()} par rapport à ${word()}`,
      ({ number, word }) =>
        `Montrer que ${word()} est divisible par ${number()} et en déduire le reste de ${word()} modulo ${number()}`,
      ({ number, word }) =>
        `Un marchand vend ${number()} ${word()} à ${number()} dinars et garde ${word()} pour son fils`,
      ({ number, word }) =>
        `Résoudre l’équation ${number()} x − ${number()} = 0 puis interpréter ${word()} sur ${word()}`,
      ({ number, word }) =>
        `Déterminer la mesure de l’angle entre ${word()} et ${word()} sachant qu’elle vaut ${number()} degrés`,
    ],
    words:
      'triangle carré cercle jardin réservoir train paysan ingénieur voiture bibliothèque camion usine stade route rivière montagne bateau livre cahier règle rapporteur ballon caisse bouteille roue échelle mur fontaine pont moulin'.split(
        ' ',
      ),
  },
]

export interface Exam {
  readonly pages: readonly string[]
}

/** A different exam for each seed, by turns in Arabic and in French. */
export function anExam(seed: number, pages = 3): Exam {
  const random = randomFrom(seed)
  const asking = ASKINGS[seed % ASKINGS.length] as Asking
  const some = { number: () => random.between(2, 999), word: () => random.pick(asking.words) }
  let exercise = 0
  const page = () =>
    Array.from({ length: 5 }, () => {
      exercise += 1
      const questions = Array.from({ length: 4 }, (_, at) => {
        return `${at + 1}) ${random.pick(asking.questions)(some)}`
      })
      return [asking.exercise(exercise), ...questions].join('\n')
    }).join('\n')
  const [first = '', ...others] = Array.from({ length: pages }, page)
  return { pages: [`${asking.heading}\n${first}`, ...others] }
}

const retyped = (page: string): string =>
  page
    .replace(/^تمرين عدد (\d+)$/gmu, 'المسألة رقم $1 من الكتاب')
    .replace(/^Exercice (\d+)$/gmu, 'Problème $1 du livre')

/** What somebody makes of another's exam. */
export const COPIES: Readonly<Record<string, (exam: Exam) => Exam>> = {
  'with another cover page': ({ pages }) => ({
    pages: ['Collection Réussite 2026\nTous droits réservés à la maison', ...pages],
  }),
  'with retyped headings': ({ pages }) => ({ pages: pages.map(retyped) }),
  'with its pages in another order': ({ pages }) => ({ pages: pages.toReversed() }),
}

const WIDTH = 128
const HEIGHT = 180
/** Pixels of a line, and of a letter. */
const LINE = 5
const LETTER = 1.2

/** A page printed with these words, dark on white, with room for answers. */
export function printed(text: string): Pixels {
  const data = new Uint8Array(WIDTH * HEIGHT * 3).fill(255)
  const isArabic = /\p{Script=Arabic}/u.test(text)
  let top = 10
  for (const line of text.split('\n')) {
    for (const [at, character] of [...line].entries()) {
      const x = 8 + Math.floor(at * LETTER)
      if (character === ' ' || x >= WIDTH - 8) continue
      for (let y = top; y < Math.min(HEIGHT - 4, top + LINE - 2); y++) {
        const place = (y * WIDTH + (isArabic ? WIDTH - x : x)) * 3
        data.fill(60, place, place + 3)
      }
    }
    top += LINE + (line.length % 4) * 3
  }
  return { width: WIDTH, height: HEIGHT, data }
}

/** The same page from a scanner: askew, pale, with a shadow at one edge and grain. */
export function scanned({ width, height, data }: Pixels, random: Random): Pixels {
  const copy = new Uint8Array(data.length)
  const [down, slope] = [random.between(-1, 1), random.between(-1, 1) / width]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.min(height - 1, Math.max(0, Math.round(y + down + slope * x)))
      const light = (data[(from * width + x) * 3] ?? 255) * 0.85 + 25
      const value = light - (8 * x) / width + random.between(-12, 12)
      copy.fill(Math.min(255, Math.max(0, value)), (y * width + x) * 3, (y * width + x) * 3 + 3)
    }
  }
  return { width, height, data: copy }
}
