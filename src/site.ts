/** The shop's brand, in one place for operators to change. Imports nothing. */
export const SITE = {
  name: { ar: 'كرّاس', fr: 'Karras', en: 'Karras' },
  slogan: {
    ar: 'دروس وتمارين وامتحانات من أساتذة تونس',
    fr: 'Cours, exercices et examens par des enseignants tunisiens',
    en: 'Lessons, exercises and exams by Tunisian teachers',
  },
  /** The company credited in the footer. */
  credit: { name: 'Karras Studio', url: 'https://studio.karras.example' },
} as const

/** The first version of the shop's facts, until an administrator changes them in the office. */
export const FIRST_FACTS = {
  contact: {
    phones: ['+216 71 000 000', '+216 98 000 000'],
    email: 'contact@karras.example',
    school: { ar: 'مدرسة كرّاس', fr: 'École Karras', en: 'Karras School' },
    addresses: [
      {
        ar: 'شارع الحبيب بورقيبة، تونس 1000',
        fr: 'Avenue Habib Bourguiba, 1000 Tunis',
        en: 'Habib Bourguiba Avenue, 1000 Tunis',
      },
    ],
    /** The coordinates of the first address, in degrees. */
    place: { latitude: 36.8003, longitude: 10.1857 },
  },
  community: {
    followers: 12_400,
    links: [] as { name: string; url: string }[],
  },
  /** The account for bank transfers. */
  bank: {
    name: { ar: 'بنك تونس', fr: 'Banque de Tunis', en: 'Bank of Tunis' },
    holder: 'KARRAS SARL',
    rib: '00 000 0000000000000 97',
  },
  /** The number for D17 payments. */
  d17: { phone: '+216 98 000 000', holder: 'KARRAS SARL' },
}
