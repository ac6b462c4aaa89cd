/**
 * `node web-service.js DATA [PORT]`: a service of which every web request goes to a port of this machine. Prints its address, a key
 * and a login link as one line of JSON. Without a port it fetches nothing.
 */
import { join } from 'node:path'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { openService } from '../../src-main/service.ts'
import { makeKey, noKeychain, testHost } from './service.ts'

const [data = '', port] = process.argv.slice(2)
const wire = { port: Number(port), resolve: () => ['93.184.216.34'] }
const service = await openService({
  ...testHost,
  data,
  dashboard: join(import.meta.dirname, '../../out/renderer'),
  startProcess: startNodeProcess,
  keychain: noKeychain,
  onBug: (error) => console.error(error),
  ...(port !== undefined && { web: 'internet' as const, wire })
})
process.once('SIGTERM', () => void service.close())
const listening = await service.listen(0)
const url = `http://127.0.0.1:${listening.port}`
const key = await makeKey(service)
console.log(JSON.stringify({ url, port: listening.port, key, login: service.loginLink() }))
