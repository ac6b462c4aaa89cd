/** The desktop host: the service, and a window that shows its dashboard. */
import { app, dialog } from 'electron'
import { Problem } from '../contract/problem.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { openOrFind } from '../host/open-or-find.ts'
import { removeServiceFile, writeServiceFile } from '../host/service-file.ts'
import type { Service } from '../service.ts'
import { openWindow } from './window.ts'

if (app.requestSingleInstanceLock()) {
  // Not awaited here: Electron becomes ready only once this module has run to its end.
  app.whenReady().then(start).catch(giveUp)
} else {
  app.quit()
}

async function start(): Promise<void> {
  const data = prepareDataFolder()
  const found = await openOrFind(data)
  if ('running' in found) {
    throw new Problem('library-in-use', `Earmark is already running in a terminal (process ${found.running.pid}).`)
  }
  const { service } = found
  app.on('will-quit', (event) => {
    event.preventDefault()
    void stop(service, data)
  })
  const { port } = await service.listen(await service.preferredPort())
  const url = `http://127.0.0.1:${port}`
  writeServiceFile(data, { url, token: service.commandToken, pid: process.pid })
  const window = await openWindow(url, (await service.beginSession()).secret)
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore()
    window.focus()
  })
}

async function stop(service: Service, data: string): Promise<void> {
  removeServiceFile(data)
  await service.close()
  app.exit(0)
}

function giveUp(error: unknown): void {
  const message =
    error instanceof Problem ? error.message : 'Earmark could not start. Its log in the data folder says more.'
  dialog.showErrorBox('Earmark', message)
  app.exit(1)
}
