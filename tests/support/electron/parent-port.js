// Runs before a utility process's program: Node's IPC as Electron's parent port.
import { EventEmitter } from 'node:events'

const port = Object.assign(new EventEmitter(), {
  /** @param {unknown} message */
  postMessage: (message) => process.send?.(message)
})
process.on('message', (data) => port.emit('message', { data, ports: [] }))
Object.assign(process, { parentPort: port })
// A utility process ends with the app, however that ends.
process.on('disconnect', () => process.exit())
