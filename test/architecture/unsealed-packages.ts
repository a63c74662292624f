// Packages of the lockfile without `integrity`. The registry it was made with has their platforms' builds in older versions only,
// so there is no digest to record; without the entries npm ci refuses the lockfile everywhere. They are builds of three tools for
// systems that neither CI nor our containers run on. A list with versions: raising the version of a tool means adding the digests
// and emptying the list.
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  '@biomejs/cli-{}@2.6.6': [
    ...[
      'android-arm64',
      'android-x64',
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64-musl',
      'linux-x64-musl',
      'win32-arm64',
      'win32-x64',
    ],
  ],
  '@rolldown/binding-{}@1.2.18': [
    ...[
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm64-musl',
    ],
    ...['linux-ppc64-gnu', 'linux-s390x-gnu', 'linux-x64-musl', 'openharmony-arm64', 'win32-arm64-msvc', 'win32-x64-msvc'],
  ],
  '@tailwindcss/oxide-{}@4.3.5': [
    ...[
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm64-musl',
      'linux-x64-musl',
    ],
    ...['wasm32-wasi', 'win32-arm64-msvc', 'win32-x64-msvc'],
  ],
};

export const UNSEALED: readonly string[] = Object.entries(BUILDS)
  .flatMap(([name, platforms]) => platforms.map((platform) => name.replace('{}', platform)))
  .sort();
