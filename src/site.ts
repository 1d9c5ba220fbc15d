/** The first version of the shop's brand, until an administrator changes it in the office. */
export const SITE = {
  name: { ar: 'كرّاس', fr: 'Karras', en: 'Karras' },
  slogan: {
    ar: 'دروس وتمارين وامتحانات من أساتذة تونس',
    fr: 'Cours, exercices et examens par des enseignants tunisiens',
    en: 'Lessons, exercises and exams by Tunisian teachers',
  },
  /** The file name of an uploaded logo; '' for the word mark. */
  logo: '',
  /** A colour such as `#2440a8`; '' for the ink of the style sheets. */
  accent: '',
  /** The company credited in the footer. */
  credit: { name: '', url: '' },
}

const nowhere = { ar: '', fr: '', en: '' }

/**
 * The first version of the shop's facts, until an administrator changes them in the office. Empty facts
 * are not shown.
 */
export const FIRST_FACTS = {
  brand: SITE,
  contact: {
    phones: [] as string[],
    email: '',
    school: nowhere,
    addresses: [] as { ar: string; fr: string; en: string }[],
    /** The coordinates of the first address, in degrees. */
    place: null as { latitude: number; longitude: number } | null,
  },
  community: { followers: 0, links: [] as { name: string; url: string }[] },
  /** The account for bank transfers. */
  bank: { name: nowhere, holder: '', rib: '' },
  /** The number for D17 payments. */
  d17: { phone: '', holder: '' },
  /** What invoices state: who sells, and which taxes are in the prices. */
  legal: { name: '', taxNumber: '', register: '', vatRate: '', exemption: nowhere, stamp: '' },
}

/** What a private shop shows instead, so that each fact is seen in its place. */
export const EXAMPLE_FACTS: typeof FIRST_FACTS = {
  brand: { ...SITE, credit: { name: 'Karras Studio', url: 'https://studio.karras.example' } },
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
    place: { latitude: 36.8003, longitude: 10.1857 },
  },
  community: { followers: 12_400, links: [] },
  bank: {
    name: { ar: 'بنك تونس', fr: 'Banque de Tunis', en: 'Bank of Tunis' },
    holder: 'KARRAS SARL',
    rib: '00 000 0000000000000 97',
  },
  d17: { phone: '+216 98 000 000', holder: 'KARRAS SARL' },
  legal: {
    name: 'KARRAS SARL',
    taxNumber: '0000000A/A/M/000',
    register: '0000000A',
    vatRate: '19',
    exemption: nowhere,
    stamp: '1.00',
  },
}
