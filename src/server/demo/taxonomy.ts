import type { Level } from '../../rules/price-bands.ts'

/** The kinds of documents; ids are the places in this list, from 1. */
export const CATEGORIES = [
  { code: 'lessons', name: 'دروس' },
  { code: 'exercises', name: 'تمارين' },
  { code: 'exams', name: 'امتحانات' },
  { code: 'summaries', name: 'ملخّصات' },
  { code: 'books', name: 'كتب' },
] as const
export type CategoryCode = (typeof CATEGORIES)[number]['code']

/** The subjects, with their cover's colour; ids are the places in this list, from 1. */
export const MATIERES = [
  { code: 'mathematics', name: 'الرياضيات', color: '#2f57b8' },
  { code: 'physics', name: 'الفيزياء والكيمياء', color: '#6a3fb0' },
  { code: 'science', name: 'علوم الحياة والأرض', color: '#0f7a5a' },
  { code: 'arabic', name: 'العربية', color: '#3d7a2a' },
  { code: 'french', name: 'الفرنسية', color: '#b8406f' },
  { code: 'english', name: 'الإنقليزية', color: '#b3363a' },
  { code: 'history-geography', name: 'التاريخ والجغرافيا', color: '#b4601a' },
  { code: 'islamic-education', name: 'التربية الإسلامية', color: '#12777f' },
  { code: 'computing', name: 'الإعلامية', color: '#4a5a70' },
  { code: 'philosophy', name: 'الفلسفة', color: '#433f99' },
  { code: 'other', name: 'مواد أخرى', color: '#8a6d2f' },
] as const
export type MatiereCode = (typeof MATIERES)[number]['code']

interface NiveauEntry {
  readonly code: string
  readonly name: string
  readonly french: string
  readonly level: Level
}

/** The school years of Tunisia, youngest first; ids are the places in this list, from 1. */
export const NIVEAUX = [
  year('primary-1', 'السنة الأولى ابتدائي', '1ère année primaire', 'primary-school'),
  year('primary-2', 'السنة الثانية ابتدائي', '2ème année primaire', 'primary-school'),
  year('primary-3', 'السنة الثالثة ابتدائي', '3ème année primaire', 'primary-school'),
  year('primary-4', 'السنة الرابعة ابتدائي', '4ème année primaire', 'primary-school'),
  year('primary-5', 'السنة الخامسة ابتدائي', '5ème année primaire', 'primary-school'),
  year('primary-6', 'السنة السادسة ابتدائي', '6ème année primaire', 'primary-school'),
  year('basic-7', 'السنة السابعة أساسي', '7ème année de base', 'middle-school'),
  year('basic-8', 'السنة الثامنة أساسي', '8ème année de base', 'middle-school'),
  year('basic-9', 'السنة التاسعة أساسي', '9ème année de base', 'middle-school'),
  year('secondary-1', 'السنة الأولى ثانوي', '1ère année secondaire', 'high-school'),
  year('secondary-2-science', 'الثانية ثانوي علوم', '2ème année sciences', 'high-school'),
  year('secondary-2-letters', 'الثانية ثانوي آداب', '2ème année lettres', 'high-school'),
  year(
    'secondary-2-economics',
    'الثانية ثانوي اقتصاد وخدمات',
    '2ème année économie et services',
    'high-school',
  ),
  year(
    'secondary-2-computing',
    'الثانية ثانوي تكنولوجيا الإعلامية',
    '2ème année technologies de l’informatique',
    'high-school',
  ),
  year('secondary-3-math', 'الثالثة ثانوي رياضيات', '3ème année mathématiques', 'high-school'),
  year(
    'secondary-3-science',
    'الثالثة ثانوي علوم تجريبية',
    '3ème année sciences expérimentales',
    'high-school',
  ),
  year(
    'secondary-3-technical',
    'الثالثة ثانوي علوم تقنية',
    '3ème année sciences techniques',
    'high-school',
  ),
  year(
    'secondary-3-economics',
    'الثالثة ثانوي اقتصاد وتصرّف',
    '3ème année économie et gestion',
    'high-school',
  ),
  year('secondary-3-letters', 'الثالثة ثانوي آداب', '3ème année lettres', 'high-school'),
  year(
    'secondary-3-computing',
    'الثالثة ثانوي علوم الإعلامية',
    '3ème année sciences de l’informatique',
    'high-school',
  ),
  year('bac-math', 'باكالوريا رياضيات', 'Baccalauréat mathématiques', 'high-school'),
  year(
    'bac-science',
    'باكالوريا علوم تجريبية',
    'Baccalauréat sciences expérimentales',
    'high-school',
  ),
  year('bac-technical', 'باكالوريا علوم تقنية', 'Baccalauréat sciences techniques', 'high-school'),
  year(
    'bac-economics',
    'باكالوريا اقتصاد وتصرّف',
    'Baccalauréat économie et gestion',
    'high-school',
  ),
  year('bac-letters', 'باكالوريا آداب', 'Baccalauréat lettres', 'high-school'),
  year(
    'bac-computing',
    'باكالوريا علوم الإعلامية',
    'Baccalauréat sciences de l’informatique',
    'high-school',
  ),
  year('prep-mp-1', 'تحضيري رياضيات وفيزياء 1 (MP)', 'Préparatoire MP 1', 'preparatoire'),
  year('prep-mp-2', 'تحضيري رياضيات وفيزياء 2 (MP)', 'Préparatoire MP 2', 'preparatoire'),
  year('prep-pc-1', 'تحضيري فيزياء وكيمياء 1 (PC)', 'Préparatoire PC 1', 'preparatoire'),
  year('prep-pc-2', 'تحضيري فيزياء وكيمياء 2 (PC)', 'Préparatoire PC 2', 'preparatoire'),
  year('prep-pt-1', 'تحضيري فيزياء وتقنية 1 (PT)', 'Préparatoire PT 1', 'preparatoire'),
  year('prep-pt-2', 'تحضيري فيزياء وتقنية 2 (PT)', 'Préparatoire PT 2', 'preparatoire'),
  year('prep-bg-1', 'تحضيري بيولوجيا وجيولوجيا 1 (BG)', 'Préparatoire BG 1', 'preparatoire'),
  year('prep-bg-2', 'تحضيري بيولوجيا وجيولوجيا 2 (BG)', 'Préparatoire BG 2', 'preparatoire'),
] as const
export type NiveauCode = (typeof NIVEAUX)[number]['code']

function year<Code extends string>(
  code: Code,
  name: string,
  french: string,
  level: Level,
): NiveauEntry & { readonly code: Code } {
  return { code, name, french, level }
}

/** An entry's id (its place from 1) with the entry. Throws for a code that is not there. */
export function entryOf<T extends { readonly code: string }>(
  list: readonly T[],
  code: string,
): T & { id: number } {
  const at = list.findIndex((entry) => entry.code === code)
  const entry = list[at]
  if (!entry) throw new RangeError(`no entry ${code}`)
  return { ...entry, id: at + 1 }
}
