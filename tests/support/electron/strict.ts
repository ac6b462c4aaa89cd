/** Reading anything a stand-in does not have is an error, never a silent `undefined`. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(from, key, self) {
      if (key in from || typeof key === 'symbol' || key === 'then' || key === 'toJSON')
        return Reflect.get(from, key, self)
      throw new Error(`the Electron stand-in has no ${name}.${key}`)
    }
  })
}
