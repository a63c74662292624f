import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const url='http://127.0.0.1:3100';
const {people}=JSON.parse(readFileSync('/tmp/w/demo/demo.json','utf8'));
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']});
const c=await b.newContext({viewport:{width:390,height:844},locale:'tr-TR',isMobile:true,deviceScaleFactor:2});
const p=await c.newPage();
await p.goto(url+'/panel/giris');await p.fill('[name=email]',people[0].email);await p.fill('[name=password]',people[0].password);await p.press('[name=password]','Enter');await p.waitForSelector('main h1');
await p.waitForTimeout(1500);
for(const path of process.argv.slice(2)){
 const q=await c.newPage(); const cdp=await c.newCDPSession(q);
 await cdp.send('Profiler.enable'); await cdp.send('Profiler.setSamplingInterval',{interval:200}); await cdp.send('Profiler.start');
 await cdp.send('Performance.enable');
 await q.goto(url+path); await q.waitForSelector('main h1'); await q.waitForTimeout(2000);
 const m=Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map(x=>[x.name,x.value]));
 const {profile}=await cdp.send('Profiler.stop');
 console.log('##',path,'task',(m.TaskDuration*1000).toFixed(0),'script',(m.ScriptDuration*1000).toFixed(0),'layout',(m.LayoutDuration*1000).toFixed(0),'style',(m.RecalcStyleDuration*1000).toFixed(0),'nodes',m.Nodes);
 const by={},file={},byId=new Map(profile.nodes.map(n=>[n.id,n])); const parent=new Map(); for(const n of profile.nodes)for(const ch of n.children??[])parent.set(ch,n.id);
 const dt=profile.timeDeltas; const incl={};
 profile.samples.forEach((id,i)=>{const n=byId.get(id);const f=n.callFrame;const k=f.functionName+' '+f.url.split('/').pop().replace(/-[\w-]{8}\.js/,'')+':'+f.lineNumber; by[k]=(by[k]??0)+dt[i];const u=f.url.split('/').pop();file[u]=(file[u]??0)+dt[i];
  const seen=new Set();for(let x=id;x!==undefined;x=parent.get(x)){const g=byId.get(x).callFrame;const kk=g.functionName+' '+g.url.split('/').pop().replace(/-[\w-]{8}\.js/,'');if(!seen.has(kk)){seen.add(kk);incl[kk]=(incl[kk]??0)+dt[i];}}});
 const top=(o,n)=>Object.entries(o).sort((a,b)=>b[1]-a[1]).slice(0,n).map(([k,v])=>(v/1000).toFixed(1)+' '+k).join('\n');
 console.log('-- self\n'+top(by,22)); console.log('-- file\n'+top(file,12)); console.log('-- incl\n'+top(Object.fromEntries(Object.entries(incl).filter(([k])=>/^[A-Z]/.test(k))),45));
 await q.close();
}
await b.close();
