import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, expectThat } from '../check.ts'
import { inFolder, type PackagedApp, type RunningApp, until, withApp } from '../packaged-app.ts'

const navigation = async ({ page }: RunningApp) => {
  const dashboard = await page('/')
  await dashboard.getByRole('navigation').waitFor()
  return dashboard
}

const onWindows = () => (process.platform === 'win32' ? 'nothing asks a program to quit there from outside' : undefined)

export const windowChecks: Check[] = [
  {
    name: 'the dashboard’s page within 10 s, and GET / is 200',
    run: (app) =>
      inFolder(async (folder) => {
        const begun = performance.now()
        return withApp(app, folder, async (running) => {
          await navigation(running)
          const took = Math.round(performance.now() - begun)
          const { status } = await fetch(running.facts.url)
          expectThat(status === 200 && took < 10_000, `GET / was ${status}, the page came after ${took} ms`)
          return `${took} ms`
        })
      })
  },
  {
    name: 'it quits with 0 and leaves no service file',
    notHere: onWindows,
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async (running) => {
          await navigation(running)
          const begun = performance.now()
          running.child.kill('SIGTERM')
          const code = await running.ended
          const left = existsSync(join(running.data, 'service.json'))
          expectThat(code === 0 && !left, `code ${code}, service file ${left ? 'left' : 'gone'}: ${running.output()}`)
          return `${Math.round(performance.now() - begun)} ms`
        })
      )
  },
  {
    name: 'a page at work is not quit without a question',
    notHere: onWindows,
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async (running) => {
          const page = await navigation(running)
          page.on('dialog', () => {})
          await page.locator('body').click({ position: { x: 5, y: 5 } })
          await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
          running.child.kill('SIGTERM')
          await sleep(2000)
          expectThat(running.child.exitCode === null, 'it ended all the same')
          return 'it waits for the answer'
        })
      )
  },
  {
    name: 'a page that crashes comes back three times; after a fourth the service still answers',
    run: (app) => inFolder((folder) => withApp(app, folder, crashFourTimes))
  },
  {
    name: 'capture opens twice, for a second start each',
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async (running) => {
          await navigation(running)
          for (const wanted of ['https://one.example/', 'https://two.example/']) await captureOnce(app, running, wanted)
          return 'filled in both times'
        })
      )
  }
]

async function crashFourTimes(running: RunningApp): Promise<string> {
  for (let times = 1; times <= 4; times += 1) {
    const page = await navigation(running)
    const session = await page.context().newCDPSession(page)
    // It is never answered: who would is gone.
    void session.send('Page.crash').catch(() => {})
    await sleep(1000)
    const { status } = await fetch(running.facts.url)
    expectThat(status === 200, `after crash ${times} GET / was ${status}`)
    // After the fourth within a minute the app asks before it loads the page anew.
    if (times < 4) await running.connectAnew()
  }
  return 'GET / 200 after each'
}

async function captureOnce(app: PackagedApp, running: RunningApp, wanted: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const link = `earmark://capture?url=${encodeURIComponent(wanted)}`
  const env = { ...process.env, DISPLAY: process.env.DISPLAY ?? ':0' }
  const second = spawn(app.executable, ['--data', running.data, link], { env, stdio: 'ignore' })
  const code = await new Promise((resolve) => second.once('exit', resolve))
  expectThat(code === 0, `the second start ended with ${code}`)
  const page = await running.page('/capture')
  const field = page.getByRole('textbox', { name: 'What to save' })
  await until(async () => (await field.inputValue()).startsWith(wanted) || undefined, 5000)
  await page.keyboard.press('Escape')
}
