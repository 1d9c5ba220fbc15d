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

/** The facts that a private shop shows, so that each fact is seen in its place. */
export const EXAMPLE_FACTS = {
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
  community: { followers: 12_400, links: [] as { name: string; url: string }[] },
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
