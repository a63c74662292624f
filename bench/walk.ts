// The cursor of a page far into a walk, obtained page by page.
export async function cursorBehind(port: number, key: string, records: number): Promise<string> {
  let cursor = 'start';
  for (let read = 0; read < records; read += 100) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/vehicles?limit=100&cursor=${cursor}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    const next = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) throw new Error(`the walk ended with ${response.status} after ${read} of ${records} records`);
    cursor = next;
  }
  return cursor;
}
