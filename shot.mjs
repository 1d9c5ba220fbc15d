import { chromium } from 'playwright'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' })
const port = process.argv[2] ?? 4871
for (const [lang, w, scheme] of [['ar', 360, 'light'], ['fr', 1280, 'dark'], ['fr', 360, 'dark'], ['ar', 1280, 'light']]) {
  const c = await b.newContext({ viewport: { width: w, height: 760 }, colorScheme: scheme, baseURL: `http://localhost:${port}` })
  const p = await c.newPage()
  const pre = lang === 'ar' ? '' : '/' + lang
  await p.goto(pre + '/login')
  await p.fill('input[name=username]', 'parent@karras.test'); await p.fill('input[type=password]', 'karras-demo'); await p.click('main button[type=submit]'); await p.waitForURL(u => !u.pathname.endsWith('/login'))
  await p.route('**/api/following/news', async r => { const res = await r.fetch(); const j = await res.json(); const t = { id: 1, name: 'منية بن صالح', latinName: 'Monia Ben Salah' }; j.news = [{kind:'published',at:'2026-11-28T10:00:00Z',isNew:true,priceBefore:null,document:{id:1,title:'فرض مراقبة عدد 1 في الرياضيات',price:6,teacher:t}},{kind:'price',at:'2026-11-27T10:00:00Z',isNew:false,priceBefore:8,document:{id:2,title:'Informatique bac : exercices de programmation',price:6,teacher:t}}]; j.teachers=[t]; await r.fulfill({ json: j }) })
  await p.addInitScript(() => localStorage.setItem('following', JSON.stringify({ at: Date.now(), hasNews: true, keys: ['t1', 'c21-1'] })))
  await p.goto(pre + '/teacher-details/1'); await p.waitForTimeout(500)
  await p.screenshot({ path: `/tmp/t-${lang}-${w}.png` })
  if (w > 800) { await p.click('.account-menu > summary'); await p.screenshot({ path: `/tmp/m-${lang}-${w}.png`, clip: { x: 0, y: 0, width: w, height: 420 } }) }
  else { await p.click('button[popovertarget=drawer] >> nth=0'); await p.waitForTimeout(300); await p.screenshot({ path: `/tmp/m-${lang}-${w}.png` }) }
  await p.goto(pre + '/news'); await p.waitForTimeout(1200)
  await p.screenshot({ path: `/tmp/n-${lang}-${w}.png` })
  await p.goto(pre + '/programme/bac-math/mathematics'); await p.waitForTimeout(400)
  await p.screenshot({ path: `/tmp/p-${lang}-${w}.png` })
  await c.close()
}
await b.close()
