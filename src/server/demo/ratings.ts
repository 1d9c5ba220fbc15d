import type { Random } from './random.ts'

/** What a demo reader says about a document or a teacher. */
export interface DemoRating {
  readonly stars: number
  readonly comment: string
}

const STARS = [5, 5, 5, 5, 4, 4, 4, 3, 3, 2]

const GOOD = {
  ar: [
    'شرح واضح جدًّا، ابنتي فهمت الدرس من أوّل قراءة.',
    'تمارين متنوّعة والإصلاح مفصّل، شكرًا للأستاذة.',
    'استعملناه قبل الفرض وكانت النتيجة ممتازة.',
    'مرتّب وسهل الطباعة، أنصح به.',
    'قيمة جيّدة مقابل الثمن.',
    'ساعدني كثيرًا في مراجعة الباكالوريا.',
    'أخيرًا ملفّ بلا أخطاء وبخطّ واضح.',
  ],
  fr: [
    'Très clair, mon fils a enfin compris.',
    'Les corrigés sont détaillés, c’est ce qui manquait ailleurs.',
    'Bien présenté et facile à imprimer.',
    'Parfait pour réviser la veille du devoir.',
    'Bon rapport qualité-prix, merci.',
    'Utile en classe comme à la maison.',
  ],
}

const MIXED = {
  ar: ['جيّد، لكن كنت أتمنّى تمارين أكثر.', 'مفيد، غير أنّ بعض الأسئلة سهلة.', 'لا بأس به.'],
  fr: [
    'Correct, mais j’aurais aimé plus d’exercices.',
    'Un peu court pour le prix.',
    'Utile, quelques questions trop faciles.',
  ],
}

/** A rating in one of the two languages; one in three comes without words. */
export function aRating(random: Random): DemoRating {
  const stars = random.pick(STARS)
  const language = random.pick(['ar', 'ar', 'fr'] as const)
  if (random.between(1, 3) === 1) return { stars, comment: '' }
  return { stars, comment: random.pick((stars >= 4 ? GOOD : MIXED)[language]) }
}
