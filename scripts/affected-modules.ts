// What a module declares, imports and computes while it is imported, read from its text.
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** One name at the top of a module. Types have no effect at run time and are left out. */
export interface Declaration {
  readonly isFunction: boolean;
  /** A function with its body; anything else without the bodies of functions in it, which run later if at all. */
  readonly text: string;
  /** Names that are used while the module is imported: outside the bodies of functions. */
  readonly uses: ReadonlySet<string>;
  /** Those of them that are called. */
  readonly calls: ReadonlySet<string>;
}

export interface Import {
  readonly from: string;
  /** `*`: all of it. */
  readonly name: string;
  /** Its name here; undefined where it is only re-exported. */
  readonly local: string | undefined;
  /** Its name in the re-export. */
  readonly passedOnAs: string | undefined;
}

export interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly imports: readonly Import[];
  /** Exported name to the name here. */
  readonly exported: ReadonlyMap<string, string>;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Statements that declare nothing. */
export const STATEMENTS = '(statements)';

export function readModule(path: string, text: string): Module {
  const { program, module } = parseSync(path, text);
  const declarations = new Map<string, Declaration>();
  for (const statement of program.body as unknown as Node[]) {
    for (const [name, node] of declaredBy(statement)) {
      const declared = declarationOf(node, text);
      const before = declarations.get(name);
      declarations.set(name, before ? join(before, declared) : declared);
    }
  }
  const imports = module.staticImports.flatMap(({ moduleRequest, entries }): Import[] => {
    const from = resolve(path, moduleRequest.value);
    if (entries.length === 0) return [{ from, name: '*', local: STATEMENTS, passedOnAs: undefined }];
    return entries
      .filter((entry) => !entry.isType)
      .map(({ importName, localName }) => ({
        from,
        name: importName.name ?? (importName.kind === 'Default' ? 'default' : '*'),
        local: localName.value,
        passedOnAs: undefined,
      }));
  });
  const exported = new Map<string, string>();
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, localName, isType } of entries) {
      if (isType) continue;
      const as = exportName.name ?? (exportName.kind === 'Default' ? 'default' : '*');
      if (moduleRequest) {
        imports.push({
          from: resolve(path, moduleRequest.value),
          name: importName.name ?? '*',
          local: undefined,
          passedOnAs: as,
        });
      } else exported.set(as, localName.name ?? 'default');
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const request = /^(['"`])([^$'"`]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    if (request) imports.push({ from: resolve(path, request), name: '*', local: '(dynamic)', passedOnAs: undefined });
  }
  return { declarations, imports: imports.filter(({ from }) => from !== ''), exported };
}

/** As a path of the project; empty for packages. */
const resolve = (path: string, request: string): string =>
  /^\.\.?\//.test(request) ? posix.join(posix.dirname(path), request) : '';

function join(a: Declaration, b: Declaration): Declaration {
  return {
    isFunction: a.isFunction && b.isFunction,
    text: `${a.text}\n${b.text}`,
    uses: new Set([...a.uses, ...b.uses]),
    calls: new Set([...a.calls, ...b.calls]),
  };
}

function declaredBy(statement: Node): [string, Node][] {
  const declaration = statement.declaration as Node | null | undefined;
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [];
    case 'ExportNamedDeclaration':
      return declaration ? declaredBy(declaration) : [];
    case 'ExportDefaultDeclaration':
      return [['default', declaration!]];
    case 'VariableDeclaration':
      return (statement.declarations as { id: Node; init: Node | null }[]).flatMap(({ id, init }) =>
        namesIn(id).map((name): [string, Node] => [name, init ?? id]),
      );
    default: {
      const id = statement.id as { name: string } | null | undefined;
      return [[id?.name ?? STATEMENTS, statement]];
    }
  }
}

function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name as string];
  return childrenOf(pattern).flatMap(namesIn);
}

const IS_FUNCTION = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/;

function declarationOf(node: Node, text: string): Declaration {
  if (IS_FUNCTION.test(node.type)) {
    return { isFunction: true, text: text.slice(node.start, node.end), uses: new Set(), calls: new Set() };
  }
  const uses = new Set<string>();
  const calls = new Set<string>();
  const bodies: Node[] = [];
  const walk = (one: Node) => {
    if (one.type === 'Identifier' || one.type === 'JSXIdentifier') uses.add(one.name as string);
    const callee = (one.callee ?? one.tag) as Node | undefined;
    if (callee) calls.add((rootOf(callee).name as string | undefined) ?? '');
    if (IS_FUNCTION.test(one.type) && one.body) {
      bodies.push(one.body as Node);
      // Default values of its parameters stay.
      for (const child of childrenOf(one)) if (child !== one.body) walk(child);
      return;
    }
    for (const child of childrenOf(one)) walk(child);
  };
  walk(node);
  return { isFunction: false, text: without(text, node, bodies), uses, calls };
}

/** `a` of `a.b.c` and of `a(…).b`. */
function rootOf(node: Node): Node {
  const inner = (node.object ?? node.callee) as Node | undefined;
  return inner ? rootOf(inner) : node;
}

function without(text: string, { start, end }: Node, bodies: readonly Node[]): string {
  let kept = '';
  let at = start;
  for (const body of bodies.toSorted((a, b) => a.start - b.start)) {
    kept += text.slice(at, body.start);
    at = Math.max(at, body.end);
  }
  return kept + text.slice(at, end);
}

const TYPES = ['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType'];

/** Without types, and without field names. */
function childrenOf(node: Node): Node[] {
  const fieldName = node.computed || node.shorthand ? '' : { Property: 'key', MemberExpression: 'property' }[node.type];
  return Object.entries(node).flatMap(([field, value]) => {
    if (TYPES.includes(field) || field === fieldName) return [];
    return (Array.isArray(value) ? value : [value]).filter(
      (one): one is Node => typeof one === 'object' && one !== null && typeof one.type === 'string',
    );
  });
}
